import { isEsm, withText } from '../tree.ts';
import type { Generator } from './change.ts';

/** Texts that a product may well hold. */
const TEXTS = [
  'Set process.env.DEBUG to see more; process.env is never written.',
  'Under VITEST the reporter prints dots, elsewhere whole lines.',
  "import test from 'ava'\n\ntest('adds', t => {\n  t.is(1 + 1, 2)\n})\n",
  'On Linux the peak of memory stands in /proc/self/status and /proc/self/statm.',
  'Files named *.test.js or *.spec.ts are left out of what is packed.',
  "describe('a thing', () => {\n  it('works', () => expect(1).toBe(1))\n})\n",
  'import pytest\n\n\ndef test_it():\n    assert True\n',
  'A hook that calls process.exit(1) or sys.exit(1) ends the whole run.',
  "jest.mock('./clock') is hoisted above imports, which surprises many.",
  'PYTEST_CURRENT_TEST names the test under way, for those who write plugins.',
  '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^4.0.0"}}',
  'Put conftest.py beside your tests, or a folder called __snapshots__ or __mocks__.',
];

/** Words that sound like a test's, in a text or in a comment of the task's module. */
export const words: Generator = ({ tree, ways, home, fn }, random) => {
  const text = random.pick(TEXTS);
  const known = tree.get(home) ?? '';
  const isPython = ways.language === 'py';
  const name = isPython ? `${fn.name}_help` : `${fn.name}Help`;
  if (random.below(2) === 0) {
    const lines = text.trimEnd().replaceAll(/^/gm, isPython ? '# ' : '// ');
    const start = known.search(isPython ? `def ${fn.name}\\(` : `(export )?function ${fn.name} `);
    return start < 0
      ? null
      : {
          what: `a comment: ${text}`,
          tree: withText(tree, home, `${known.slice(0, start)}${lines}\n${known.slice(start)}`),
        };
  }
  const quoted = JSON.stringify(text);
  const more = isPython
    ? `\n\ndef ${name}():\n    return ${quoted}\n`
    : isEsm(known)
      ? `\nexport function ${name} () {\n  return ${quoted}\n}\n`
      : `\nmodule.exports.${name} = function ${name} () {\n  return ${quoted}\n}\n`;
  return { what: `a text: ${text}`, tree: withText(tree, home, known.trimEnd() + '\n' + more) };
};
