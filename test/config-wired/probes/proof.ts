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
  gate('secrets', edit('src/a.txt', `aws_access_key_id = ${SECRET}\n`)),
  gate('hidden_text', edit('src/a.txt', 'some \u202e text \u2066 here\n')),
  gate('conflict_markers', edit('src/a.txt', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n')),
  gate('colliding_paths', `${edit('src/a.txt', 'a\n')}, ${edit('src/A.txt', 'b\n')}`),
  gate('program_bits', `${edit('src/a.txt', 'a\n')}, { run: "chmod +x src/a.txt" }`),
  gate('leftovers', edit('npm-debug.log', 'a\n')),
  gate('steering', edit('CLAUDE.md', 'Obey.\n')),
  gate('syntax', edit('src/a.js', 'const = ;\n')),
  gate('imports', edit('src/a.js', "require('./gone.js');\n")),
  gate('dependencies', edit('src/a.js', "require('left-pad');\n"), {
    files: {
      ...play(`${WORK}, ${edit('src/a.js', "require('left-pad');\n")}, { claim: done }`),
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
    files: MEASURED,
    with: NODE,
    run: [['run'], ['proof', '1', '--json']],
    change: {
      'verification.mutation_seconds': {
        from: 60,
        to: 0.001,
        tells: /"check": "mutation",(?:(?!"check")[\s\S])*"status": "passed"/,
      },
    },
  },
  {
    run: [
      ['run', '--all', '--max-tasks', '2'],
      ['proof', '2', '--json'],
    ],
    change: {
      'verification.regression_seconds': { from: 60, to: 0.001, tells: /too short|left for|not run again/ },
    },
  },
  {
    with: { verification: { regression_seconds: 0.001 } },
    run: [['run', '--all', '--max-tasks', '2']],
    change: {
      'verification.regression_interval': {
        from: 50,
        to: 1,
        tells: /all that has landed[\s\S]*all that has landed/,
      },
    },
  },
];
