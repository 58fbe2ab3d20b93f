import { getBacklog } from '../../support/sample-project.ts';
import type { Change, Probe } from '../probe.ts';
import { merge } from '../settings.ts';
import { DONE, one, play, WORK } from './kit.ts';

const LANDS = /task 1 landed/;

/** Without tests that notice every line, which is another matter. */
const STILL = { verification: { mutants: 0, require_evidence: false } };

/** A gate that is off lets pass what it rejects otherwise. */
function gate(name: string, moves: string, more: Partial<Probe> = {}): Probe {
  const change: Record<string, Change> = {
    [`verification.gates.${name}`]: { from: 'off', to: 'reject', tells: LANDS },
  };
  const files = play(`${WORK}, ${moves}, { claim: done }`);
  return { files, ...more, with: merge(STILL, more.with ?? {}), change };
}

const edit = (file: string, content: string) =>
  `{ edit: { file: ${JSON.stringify(file)}, content: ${JSON.stringify(content)} } }`;

const SECRET = `AKIA${'Q3EGRLSZ5XNPTWHA'}`;

/** What each of these gates alone has to reject; all of it lands where all of them are off. */
const HARMS = {
  secrets: edit('src/a.txt', `aws_access_key_id = ${SECRET}\n`),
  hidden_text: edit('src/b.txt', 'some \u202e text \u2066 here\n'),
  conflict_markers: edit('src/c.txt', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n'),
  colliding_paths: `${edit('src/d.txt', 'a\n')}, ${edit('src/D.txt', 'b\n')}`,
  program_bits: `${edit('src/e.txt', 'a\n')}, { run: "chmod +x src/e.txt" }`,
  leftovers: edit('npm-debug.log', 'a\n'),
  steering: edit('CLAUDE.md', 'Obey.\n'),
  syntax: edit('src/f.js', 'const = ;\n'),
  imports: edit('src/g.js', "require('./gone.js');\n"),
};
const HARMFUL: Partial<Probe> = {
  files: play(`${WORK}, ${Object.values(HARMS).join(', ')}, { claim: done }`),
  with: { verification: { gates: Object.fromEntries(Object.keys(HARMS).map(name => [name, 'off'])) } },
};

const PACKAGE = {
  'package.json': '{ "name": "x", "version": "1.0.0", "main": "lib/main.js" }\n',
  'lib/main.js': 'exports.one = 1;\nexports.two = 2;\n',
};

/** A change that a test of its own decides, in a language whose lines can be broken on purpose. */
const MEASURED = {
  ...play(`${edit('src/one.js', 'exports.one = (a, b) => (a > 3 ? a + b : a - b);\n')}, { claim: done }`),
  ...one({ test_file: 'test/one.test.js' }),
  'test/one.test.js': "const { one } = require('../src/one.js');\nif (one(5, 2) !== 7) process.exit(1);\n",
};
const NODE = { testing: { runner: 'command', full: 'sh test/all.sh', feature: 'node {file}' } };

/** Four tasks, so that the third is held to what proved two others, of which the clock leaves the second out. */
const IDS = [1, 2, 3, 4];
const FOUR = {
  files: {
    'features.json': getBacklog(
      IDS.map(id => ({ id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh` })),
    ),
    'agent.yaml': `tasks:\n${IDS.map(id => `  "${id}": [${edit(`src/${id}.txt`, 'x\n')}, { claim: done }]\n`).join('')}`,
    'test/thing-4.sh': 'test -f src/4.txt\n',
  },
  run: [['run', '--all']],
};

/** What it takes to be proven. */
export const PROOF_PROBES: readonly Probe[] = [
  { change: { 'verification.require_evidence': { from: false, to: true, tells: LANDS } } },
  {
    files: play('{ lie: done }'),
    change: { 'verification.feedback_rounds': { from: 0, to: 1, tells: /sent back/ } },
  },
  {
    run: [['run'], ['inbox']],
    change: { 'verification.review': { from: 'off', to: 'always', tells: LANDS } },
  },
  {
    change: { 'e2e.command': { to: 'test ! -f src/1.txt', tells: LANDS } },
  },
  {
    with: { e2e: { command: 'mkdir -p out && echo x > out/seen.txt' } },
    run: [['run'], ['proof', '1', '--json']],
    change: { 'e2e.artifact_dirs': { to: ['out'], tells: /"path": "[^"]*\/e2e\/out\/seen\.txt"/ } },
  },
  {
    prepare: project => project.write({ '../held/all/test/thing-1.sh': 'exit 1\n' }),
    change: { 'verification.held_out': { to: '../held', tells: LANDS } },
  },
  {
    files: play(`${WORK}, { edit: { file: src/keep.txt, append: "y\\n" } }, { claim: done }`),
    with: {},
    prepare: project => project.commit({ 'src/keep.txt': 'x\n' }),
    change: { 'verification.protected': { to: ['src/keep.txt'], tells: LANDS } },
  },
  {
    files: play(
      `${WORK}, { edit: { file: test/thing-1.sh, content: "test -s src/1.txt\\n" } }, { claim: done }`,
    ),
    change: { 'verification.tests': { from: 'coder', to: 'approved', tells: /rejected \(protected/ } },
  },
  {
    files: play(
      `${WORK}, ${edit('src/a.js', 'if (process.env.NODE_TEST_CONTEXT) module.exports = 1;\n')}, { claim: done }`,
    ),
    run: [['run'], ['proof', '1', '--json']],
    with: STILL,
    change: {
      'verification.test_aware': {
        from: 'off',
        to: 'reject',
        tells: /"check": "test-aware",(?:(?!"check")[\s\S])*"status": "skipped"/,
      },
    },
  },
  ...Object.keys(HARMS).map(name => gate(name, '', HARMFUL)),
  gate('dependencies', '', {
    files: {
      // In other signs than the code has: the base must not have named it already.
      ...play(
        `${WORK}, { edit: { file: src/a.js, content: "require(\\x27left-pad\\x27);\\n" } }, { claim: done }`,
      ),
      'package.json': '{ "name": "x", "version": "1.0.0" }\n',
    },
  }),
  gate('entries', '', {
    files: { ...play(`${WORK}, { delete: lib/main.js }, { claim: done }`), ...PACKAGE },
    with: { verification: { gates: { mentions: 'off', exports: 'off' } } },
  }),
  gate('exports', '', {
    files: { ...play(`${WORK}, ${edit('lib/main.js', 'exports.one = 1;\n')}, { claim: done }`), ...PACKAGE },
  }),
  gate('mentions', '', {
    files: {
      ...play(`${WORK}, { delete: lib/extra.js }, { claim: done }`),
      ...PACKAGE,
      'lib/extra.js': 'exports.x = 1;\n',
      'tsconfig.json': '{ "files": ["lib/extra.js"] }\n',
    },
  }),
  gate('build', '', {
    files: play(DONE),
    with: { testing: { sanity: { build: 'test ! -f src/1.txt' } } },
  }),
  gate('untested', '', {
    files: {
      ...MEASURED,
      ...play(
        `${edit('src/one.js', 'exports.one = (a, b) => (a > 3 ? a + b : a - b);\n')}, ${edit('src/other.js', 'exports.other = a => (a > 3 ? a * 2 : a + 7);\n')}, { claim: done }`,
      ),
    },
    with: NODE,
    run: [['run'], ['proof', '1', '--json']],
  }),
  {
    files: MEASURED,
    with: NODE,
    run: [['run'], ['proof', '1', '--json']],
    change: {
      'verification.mutants': {
        from: 0,
        to: 4,
        tells: /"check": "mutation",(?:(?!"check")[\s\S])*"status": "passed"/,
      },
    },
  },
  {
    // Nothing is noticed, so that there is always one more to try.
    files: { ...MEASURED, 'test/one.test.js': "require('node:fs').statSync('src/one.js');\n" },
    with: NODE,
    run: [['run'], ['inbox']],
    change: {
      'verification.mutation_seconds': { to: 0.001, tells: /\d of \d broken variants were tried in time/ },
    },
  },
  {
    ...FOUR,
    run: [...FOUR.run, ['proof', '3', '--json']],
    change: { 'verification.regression_seconds': { to: 0.001, tells: /left for the look at everything/ } },
  },
  {
    ...FOUR,
    with: { verification: { regression_seconds: 0.001 } },
    run: [...FOUR.run, ['proof', '3', '--json']],
    change: { 'verification.regression_interval': { to: 1, tells: /(?:all that has landed[\s\S]*){2}/ } },
  },
];
