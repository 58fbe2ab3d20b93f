import type { Plan } from '../../src/core/decide/plan.ts';

/** How the agent behaves at one task, all through the night. */
export type Part = 'honest' | (typeof PARTS)[number];

const PARTS = [
  'context',
  'liar',
  'wrong',
  'vacuous',
  'regress',
  'flaky',
  'limited',
  'crashes',
  'asks',
  'stubborn',
  'impossible',
] as const;

/** What no agent can do: these belong before a person, and nowhere else. */
const HOPELESS: ReadonlySet<Part> = new Set(['stubborn', 'impossible']);

/** Every part comes up once in so many tasks. */
const ROUND = 30;

export function getPart(id: number): Part {
  const place = (id * 7) % ROUND;
  return PARTS[place] ?? 'honest';
}

export function isHopeless(id: number): boolean {
  return HOPELESS.has(getPart(id));
}

/** What task `id` is really about; the oracle and the honest agent both know. */
export function getWanted(id: number, x: number): number {
  return x * (id + 1) + id;
}

export function getSource(id: number): string {
  return `export function part${id}(x) {\n  return x * ${id + 1} + ${id};\n}\n`;
}

function getTest(id: number): string {
  const cases = [0, 1, 5].map(x => `  assert.equal(part${id}(${x}), ${getWanted(id, x)});`);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { part${id} } from '../src/part-${id}.js';

test('part ${id} counts', () => {
${cases.join('\n')}
});
`;
}

const CONTRADICTION = (id: number): string =>
  getTest(id).replace('});\n', `  assert.equal(part${id}(1), ${getWanted(id, 1)} + 1);\n});\n`);

type Moves = readonly Readonly<Record<string, unknown>>[];

const source = (id: number, content = getSource(id)) => ({ edit: { file: `src/part-${id}.js`, content } });
const check = (id: number, content = getTest(id)) => ({ edit: { file: `test/part-${id}.test.js`, content } });
const ran = (id: number) => ({ run: `node --test test/part-${id}.test.js` });
const honest = (id: number): Moves => [source(id), check(id), ran(id), { claim: 'done' }];
const lazy = { burn: { input: 900, output: 90, cost_usd: 0.01 } };

const wrong = (id: number): string => `export function part${id}() {\n  return ${id};\n}\n`;
const blind = (id: number): string =>
  `import { test } from 'node:test';\nimport '../src/part-${id}.js';\ntest('part ${id}', () => {});\n`;
const dice = (id: number): string =>
  getTest(id).replace("counts', () => {", "counts', () => {\n  assert.ok(Math.random() < 0.4);");
const broken = (id: number): string => getSource(id).replace('*', '-');

/** What the agent does before it comes to its senses, if it does. */
const FIRST: Readonly<Record<Part, (id: number) => readonly Moves[]>> = {
  honest: () => [],
  context: id => [[source(id), { burn: { input: 300_000, output: 10, cost_usd: 0.5 } }, { sleep: 30 }]],
  liar: () => [[{ lie: 'done' }]],
  wrong: id => [[source(id, wrong(id)), check(id), { claim: 'done' }]],
  vacuous: id => [[source(id, wrong(id)), check(id, blind(id)), ran(id), { claim: 'done' }]],
  regress: id => [[source(id), check(id), source(1, broken(1)), ran(id), { claim: 'done' }]],
  flaky: id => [[source(id), check(id, dice(id)), ran(id), { claim: 'done' }]],
  limited: () => [[{ refuse: { kind: 'rate_limit', retry_seconds: 2 } }]],
  crashes: id => [[source(id, 'half'), { crash: 'out of memory' }]],
  asks: id => [
    [
      {
        ask: {
          question: `Which factor does part ${id} use?`,
          why: 'The specification leaves it open.',
          steps: ['Look it up'],
          check: 'The test of the part',
        },
      },
    ],
  ],
  stubborn: () => [[{ lie: 'done' }]],
  impossible: id => [[source(id), ran(id), { claim: 'done' }]],
};

/** The whole night as a script of the embedded agent: the planner's answer, then the part of each task. */
export function getScript(count: number): string {
  const entries = getIds(count).map(id => {
    const first = FIRST[getPart(id)](id);
    const attempts = isHopeless(id) ? first : [...first, honest(id)];
    return [String(id), { attempts: attempts.map(moves => [lazy, ...moves]) }];
  });
  const reviews = getIds(count).map(id => [`${id}/review`, [{ answer: { findings: [] } }]]);
  return JSON.stringify({
    planner: { attempts: [[lazy, { answer: getPlan(count) }]] },
    tasks: Object.fromEntries([...entries, ...reviews]),
  });
}

function getPlan(count: number): Plan {
  return {
    project: 'parts',
    summary: 'One part after the other.',
    tasks: getIds(count).map(id => ({
      id: String(id),
      title: `Part ${id} counts`,
      depends_on: getDependency(id),
      test_file: `test/part-${id}.test.js`,
      verification_steps: [`part ${id} of 1 is ${getWanted(id, 1)}`],
      files: [`src/part-${id}.js`],
      size: 'small',
    })),
  };
}

/** Some build on others, but nothing on what cannot be done. */
function getDependency(id: number): string[] {
  const earlier = id - 5;
  return id % 3 === 0 && earlier > 0 && !isHopeless(earlier) ? [String(earlier)] : [];
}

export function getIds(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

/** What lies in the folder before the harness comes: a spec, a flaky test and two that contradict themselves. */
export function getFiles(count: number): Readonly<Record<string, string>> {
  const hopeless = getIds(count).filter(id => getPart(id) === 'impossible');
  return {
    'spec.md': `# Parts\n\n${getIds(count)
      .map(id => `- part ${id}: x times ${id + 1}, plus ${id}`)
      .join('\n')}\n`,
    'package.json': '{ "name": "parts", "type": "module", "scripts": { "test": "node --test" } }\n',
    'test/weather.test.js': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('the weather', () => {\n  assert.ok(Math.random() < 0.8);\n});\n`,
    'harness-agent.yaml': getScript(count),
    ...Object.fromEntries(hopeless.map(id => [`test/part-${id}.test.js`, CONTRADICTION(id)])),
  };
}
