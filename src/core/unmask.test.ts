import { expect, it } from 'vitest';
import { getUnmasked } from './unmask.ts';

it.each<[string, string]>([
  ["['VI', 'TEST'].join('')", "'VITEST'"],
  [`'a' + "b" + \`c\``, "'abc'"],
  ["'a'.concat('b').concat('c')", "'abc'"],
  ['"".join(["py", "test"])', "'pytest'"],
  ["'tsetyp'[::-1]", "'pytest'"],
  ["'tset'.split('').reverse().join('')", "'test'"],
  ["'\\x74est'", "'test'"],
  ["['te', 's' + 't'].join('')", "'test'"],
  ["['a', 'b'].join('/')", "['a', 'b'].join('/')"],
  ["'a' + name + 'b'", "'a' + name + 'b'"],
  ['a + b', 'a + b'],
])('%s reads %s', (line, text) => {
  expect(getUnmasked(line)).toBe(text);
});
