import type { Language } from './tree.ts';

/** A small function in three languages, with what it answers. */
interface Sample {
  readonly words: readonly string[];
  readonly params: readonly string[];
  /** The types of the parameters and of the answer, for TypeScript. */
  readonly types: readonly string[];
  readonly js: string;
  readonly py: string;
  readonly cases: readonly (readonly [args: readonly unknown[], answer: unknown])[];
}

const NUMBERS = ['number', 'number', 'number', 'number'];

export const SAMPLES: readonly Sample[] = [
  {
    words: ['clamp', 'to', 'range'],
    params: ['value', 'low', 'high'],
    types: NUMBERS,
    js: 'if (value < low) return low\nif (value > high) return high\nreturn value',
    py: 'if value < low:\n    return low\nif value > high:\n    return high\nreturn value',
    cases: [
      [[5, 1, 9], 5],
      [[-5, 1, 9], 1],
      [[15, 1, 9], 9],
      [[1, 1, 9], 1],
      [[9, 1, 9], 9],
    ],
  },
  {
    words: ['sum', 'of', 'squares'],
    params: ['numbers'],
    types: ['number[]', 'number'],
    js: 'let total = 0\nfor (const one of numbers) total += one * one\nreturn total',
    py: 'total = 0\nfor one in numbers:\n    total += one * one\nreturn total',
    cases: [
      [[[]], 0],
      [[[3]], 9],
      [[[1, 2, 3]], 14],
      [[[-4, 5]], 41],
    ],
  },
  {
    words: ['count', 'words'],
    params: ['text'],
    types: ['string', 'number'],
    js: "let count = 0\nfor (const word of text.split(' ')) if (word !== '') count += 1\nreturn count",
    py: "count = 0\nfor word in text.split(' '):\n    if word != '':\n        count += 1\nreturn count",
    cases: [
      [[''], 0],
      [['one'], 1],
      [['one two  three'], 3],
      [[' a b '], 2],
    ],
  },
  {
    words: ['join', 'with', 'and'],
    params: ['names'],
    types: ['string[]', 'string'],
    js: "if (names.length < 2) return names.join('')\nreturn names.slice(0, -1).join(', ') + ' and ' + names[names.length - 1]",
    py: "if len(names) < 2:\n    return ''.join(names)\nreturn ', '.join(names[:-1]) + ' and ' + names[-1]",
    cases: [
      [[[]], ''],
      [[['a']], 'a'],
      [[['a', 'b']], 'a and b'],
      [[['a', 'b', 'c']], 'a, b and c'],
    ],
  },
  {
    words: ['largest', 'step'],
    params: ['numbers'],
    types: ['number[]', 'number'],
    js: 'let largest = 0\nfor (let i = 1; i < numbers.length; i += 1) {\n  const step = Math.abs(numbers[i] - numbers[i - 1])\n  if (step > largest) largest = step\n}\nreturn largest',
    py: 'largest = 0\nfor i in range(1, len(numbers)):\n    step = abs(numbers[i] - numbers[i - 1])\n    if step > largest:\n        largest = step\nreturn largest',
    cases: [
      [[[]], 0],
      [[[7]], 0],
      [[[1, 4, 2]], 3],
      [[[9, 1, 2]], 8],
      [[[2, 4, 6, 9]], 3],
    ],
  },
  {
    words: ['pad', 'number'],
    params: ['value', 'width'],
    types: ['number', 'number', 'string'],
    js: "let text = String(value)\nwhile (text.length < width) text = '0' + text\nreturn text",
    py: "text = str(value)\nwhile len(text) < width:\n    text = '0' + text\nreturn text",
    cases: [
      [[7, 3], '007'],
      [[1234, 3], '1234'],
      [[0, 1], '0'],
      [[42, 4], '0042'],
    ],
  },
];

/** One of the samples under a name of its own. */
export interface Fn {
  readonly name: string;
  readonly sample: Sample;
}

/** `clampToRange7`, or `clamp_to_range_7` in Python. */
export function getFn(sample: Sample, mark: string, language: Language): Fn {
  const words = [...sample.words, mark];
  const camel = words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)));
  return { name: language === 'py' ? words.join('_') : camel.join(''), sample };
}

export interface Style {
  readonly language: Language;
  readonly isEsm: boolean;
}

/** The function's text, offered to others. */
export function getText({ name, sample }: Fn, { language, isEsm }: Style, body?: string): string {
  if (language === 'py')
    return `def ${name}(${sample.params.join(', ')}):\n${indent(body ?? sample.py, '    ')}\n`;
  const params = sample.params.map((param, i) =>
    language === 'ts' ? `${param}: ${sample.types[i]}` : param,
  );
  const answer = language === 'ts' ? `: ${sample.types.at(-1)}` : '';
  const text = `function ${name} (${params.join(', ')})${answer} {\n${indent(body ?? sample.js, '  ')}\n}\n`;
  return isEsm ? `export ${text}` : `${text}\nmodule.exports.${name} = ${name}\n`;
}

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);
