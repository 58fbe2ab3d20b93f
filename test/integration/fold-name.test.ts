import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { getFoldName } from '../../scripts/fold-name.js';
import { FOLD_NAME } from '../../src/core/saved/fold-name.ts';
import { makeTempDir } from '../support/git-fixture.ts';

const CORE = join(import.meta.dirname, '../../src/core');

it('the rules of a fold go by another name as soon as anything in the core but a test is another', () => {
  const core = join(makeTempDir(), 'core');
  cpSync(CORE, core, { recursive: true });
  const name = getFoldName(core);
  expect(name).toBe(getFoldName());
  writeFileSync(join(core, 'state/state.test.ts'), 'a test');
  expect(getFoldName(core)).toBe(name);
  const path = join(core, 'events/task.ts');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text} `);
  const changed = getFoldName(core);
  writeFileSync(path, text);
  writeFileSync(join(core, 'state/more.ts'), text);
  const added = getFoldName(core);
  rmSync(join(core, 'state/more.ts'));
  rmSync(path);
  expect(new Set([name, changed, added, getFoldName(core)]).size).toBe(4);
});

it('tests and the built program have the name of the rules that they run', () => {
  expect(FOLD_NAME).toBe(getFoldName());
  const chunks = join(dirname(inject('harnessProgram')), 'chunks');
  const built = readdirSync(chunks).map(file => readFileSync(join(chunks, file), 'utf8'));
  expect(built.filter(text => text.includes(getFoldName()))).toHaveLength(1);
});
