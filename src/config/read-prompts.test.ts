import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTempDir } from '../../test/support/real-processes.ts';
import { PROMPT_MARK } from '../core/prompt/prompt.ts';
import { readPrompts } from './read-prompts.ts';

const makeDir = useTempDir();

function read(files: Readonly<Record<string, string>>) {
  const root = makeDir();
  mkdirSync(join(root, 'harness/prompts'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'harness/prompts', name), text);
  return readPrompts(root, 'harness/prompts');
}

const GOOD = `Be brief.\n${PROMPT_MARK}\n{{brief}}`;

it('takes the templates that are there and leaves the rest to us', () => {
  expect(read({ 'coding.md': GOOD, 'README.md': 'about these', 'notes.txt': '' })).toEqual({ coding: GOOD });
  expect(readPrompts(makeDir(), 'harness/prompts')).toEqual({});
});

it.each([
  ['coding.md', 'no mark', PROMPT_MARK],
  ['review.md', `{{oops}}\n${PROMPT_MARK}\n{{brief}}`, 'oops'],
  ['codin.md', GOOD, 'codin'],
])('names %s and what is wrong with it', (name, text, field) => {
  expect(() => read({ [name]: text })).toThrowError(
    expect.objectContaining({
      code: 'config',
      message: expect.stringContaining(`harness/prompts/${name}`),
      details: expect.objectContaining({ file: `harness/prompts/${name}`, field }),
    }),
  );
});
