import type { Fn } from './functions.ts';
import { getDotted, getImportWord, type Runner } from './tree.ts';

/** A test file for a function, in the words of the repository's runner. */
export function getTestText({ name, sample }: Fn, runner: Runner, testPath: string, module: string): string {
  const title = sample.words.join(' ');
  const calls = sample.cases.map(([args, answer]) => {
    const given = args.map(arg => JSON.stringify(arg)).join(', ');
    return { call: `${name}(${given})`, answer: JSON.stringify(answer) };
  });
  const lines = (say: (call: string, answer: string) => string): string =>
    calls.map(({ call, answer }) => say(call, answer)).join('\n');
  const path = getImportWord(
    testPath,
    module,
    runner === 'ava' || runner === 'node' || runner === 'mocha-ts' ? null : 'bare',
  );
  const dotted = getDotted(module);
  switch (runner) {
    case 'pytest':
      return `from ${dotted} import ${name}\n\n\n${calls
        .map(({ call, answer }, i) => `def test_${name}_${i + 1}():\n    assert ${call} == ${answer}\n`)
        .join('\n\n')}`;
    case 'unittest':
      return `import unittest\n\nfrom ${dotted} import ${name}\n\n\nclass Test${name.replaceAll('_', '')}(unittest.TestCase):\n${calls
        .map(
          ({ call, answer }, i) =>
            `    def test_${i + 1}(self):\n        self.assertEqual(${call}, ${answer})\n`,
        )
        .join('\n')}`;
    case 'mocha':
      return `'use strict'\n\nconst assert = require('assert')\nconst { ${name} } = require('${path}')\n\ndescribe('${title}', () => {\n  it('answers', () => {\n${lines((call, answer) => `    assert.strictEqual(${call}, ${answer})`)}\n  })\n})\n`;
    case 'mocha-ts':
      return `import { expect } from 'chai'\nimport { ${name} } from '${path}'\n\ndescribe('${title}', () => {\n  it('answers', () => {\n${lines((call, answer) => `    expect(${call}).to.equal(${answer})`)}\n  })\n})\n`;
    case 'uvu':
      return `import { test } from 'uvu';\nimport * as assert from 'uvu/assert';\nimport { ${name} } from '${path}';\n\ntest('${title}', () => {\n${lines((call, answer) => `\tassert.is(${call}, ${answer});`)}\n});\n\ntest.run();\n`;
    case 'tape':
      return `const test = require('tape');\nconst { ${name} } = require('${path}');\n\ntest('${title}', t => {\n${lines((call, answer) => `\tt.is(${call}, ${answer});`)}\n\tt.end();\n});\n`;
    case 'ava':
      return `import test from 'ava';\nimport {${name}} from '${path}';\n\ntest('${title}', t => {\n${lines((call, answer) => `\tt.is(${call}, ${answer});`)}\n});\n`;
    case 'node':
      return `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${name} } from '${path}'\n\ntest('${title}', () => {\n${lines((call, answer) => `  assert.equal(${call}, ${answer})`)}\n})\n`;
  }
}
