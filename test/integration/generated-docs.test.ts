import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getGeneratedFiles } from '../../scripts/config-docs.ts';
import { parseConfig } from '../../src/config/load.ts';

const root = join(import.meta.dirname, '../..');

describe('files made from the schema', () => {
  it.each(Object.entries(getGeneratedFiles()))('%s is current (else: npm run docs)', (path, text) => {
    const file = join(root, path);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text);
  });

  it('show only configurations that load', () => {
    const docs = getGeneratedFiles()['docs/config.md'] ?? '';
    const examples = [...docs.matchAll(/```yaml\n(.*?)```/gs)].map(match => match[1] ?? '');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(() => parseConfig(example, '.harness.yaml', {})).not.toThrow();
  });
});
