import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../adapters/store/schema.ts';
import { HARNESS_VERSION, SCHEMA_VERSION } from './version.ts';

it('the version that is printed is the version that is published', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(HARNESS_VERSION).toBe(manifest.version);
});

it('the schema version is the last migration, and none is left out', () => {
  expect(MIGRATIONS.map(m => m.to)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  expect(MIGRATIONS.at(-1)?.to).toBe(SCHEMA_VERSION);
});
