import type { Probe } from '../probe.ts';
import { OPEN, play, read, WORK } from './kit.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 6\n`;

const LINT = {
  'test/lint.sh': 'test ! -f src/1.txt || { echo "src/1.txt:1:1: error bad"; exit 1; }\n',
};

/** A check before the agent that is switched off is left out of the record. */
const CHECKS: Readonly<Record<string, string>> = {
  working_directory: 'working_directory',
  harness_files: 'harness_files',
  git_state: 'git_state',
  environment: 'environment',
  baseline_tests: 'baseline_tests',
  budget: 'budget',
  lint: 'lint',
};

/** How the project is brought up, tested and looked at before an agent is paid. */
export const ENVIRONMENT_PROBES: readonly Probe[] = [
  {
    with: OPEN,
    look: project => ['installed', 'begun', 'ended'].filter(name => project.has(`../home/${name}`)).join(' '),
    change: {
      'environment.install': { to: 'touch $HOME/installed', tells: /installed/ },
      'environment.init': { to: 'touch $HOME/begun', tells: /begun/ },
      'environment.stop': { to: 'touch $HOME/ended', tells: /ended/ },
    },
  },
  {
    with: { ...OPEN, environment: { init: 'exit 3' } },
    look: project => read(project, '../home/reset'),
    change: {
      'environment.reset': { to: 'echo again >> $HOME/reset; exit 4', tells: /again/ },
    },
  },
  {
    with: { ...OPEN, environment: { init: 'exit 3', reset: 'echo again >> $HOME/reset' } },
    look: project => read(project, '../home/reset'),
    change: { 'preflight.on_failure.max_reset_attempts': { from: 1, to: 2, tells: /again\nagain\n/ } },
  },
  {
    with: { ...OPEN, environment: { init: 'exit 3', reset: 'echo again >> $HOME/reset; exit 4' } },
    look: project => read(project, '../home/reset'),
    change: { 'preflight.on_failure.auto_reset': { to: false, tells: /again/ } },
  },
  { change: { 'environment.health_check': { to: 'exit 5', tells: /task 1 landed/ } } },
  { change: { 'testing.sanity.health': { to: 'exit 5', tells: /task 1 landed/ } } },
  {
    with: { environment: { init: 'test -z "$MY_WORD"' } },
    env: { MY_WORD: 'heard' },
    change: { 'environment.env': { to: ['MY_WORD'], tells: /task 1 landed/ } },
  },
  {
    files: { '.gitattributes': '*.bin filter=lfs -text\n', 'data/x.bin': POINTER },
    change: { 'environment.accept_unfilled': { to: ['data/*.bin'], tells: /task 1 landed/ } },
  },
  {
    with: { environment: { init: 'sleep 2' } },
    change: { 'environment.timeout_seconds': { to: 0.5, tells: /task 1 landed/ } },
  },
  {
    with: { quality: { lint_command: 'sh test/all.sh' } },
    run: [['run', '--json']],
    change: Object.fromEntries(
      Object.entries(CHECKS).map(([key, name]) => [
        `preflight.checks.${key}`,
        { to: false, tells: new RegExp(`"name":"${name}"`) },
      ]),
    ),
  },
  {
    files: { 'test/all.sh': 'echo "not a report"\n' },
    change: { 'testing.runner': { from: 'command', to: 'tap', tells: /task 1 landed/ } },
  },
  {
    run: [['run', '--dry-run']],
    change: {
      'testing.feature': { from: 'sh {file}', to: 'sh -e {file}', tells: /`sh -e test\/thing-1\.sh`/ },
      'testing.unit': { to: 'sh unit.sh', tells: /Unit tests alone:\*\* `sh unit\.sh`/ },
      'testing.e2e': { to: 'sh e2e.sh', tells: /End-to-end tests alone:\*\* `sh e2e\.sh`/ },
    },
  },
  { change: { 'testing.full': { from: 'sh test/all.sh', to: 'exit 1', tells: /1 tests pass, 0 fail/ } } },
  {
    files: { 'test/all.sh': 'test -z "$MY_WORD"\n' },
    env: { MY_WORD: 'heard' },
    change: { 'testing.env': { to: ['MY_WORD'], tells: /1 tests pass, 0 fail/ } },
  },
  {
    files: {
      'test/tap.sh':
        'sh "$1" && state=ok || state="not ok"\nprintf "TAP version 13\\n%s 1 - it holds\\n1..1\\n" "$state" > out.tap\n',
    },
    with: {
      testing: { runner: 'tap', full: 'sh test/tap.sh test/all.sh', feature: 'sh test/tap.sh {file}' },
    },
    change: { 'testing.report': { to: 'out.tap', tells: /the report is empty/ } },
  },
  {
    files: { 'test/all.sh': 'sleep 1\n' },
    change: { 'testing.timeout_seconds': { to: 0.3, tells: /1 tests pass, 0 fail/ } },
  },
  {
    // Red with the change, every time: how often that is asked again is the setting.
    with: OPEN,
    files: { 'test/all.sh': 'echo run >> $HOME/runs; test ! -f src/1.txt\n' },
    look: project => `suite ran ${read(project, '../home/runs').trim().split('\n').length} times`,
    change: { 'testing.reruns': { from: 0, to: 3, tells: /suite ran [1-5] times/ } },
  },
  {
    files: { 'test/types.sh': 'test ! -f src/1.txt\n' },
    change: { 'testing.sanity.type_check': { to: 'sh test/types.sh', tells: /task 1 landed/ } },
  },
  {
    files: { 'test/types.sh': 'test ! -f src/1.txt\n' },
    with: { testing: { sanity: { type_check: 'sh test/types.sh' } } },
    change: { 'quality.type_check_blocks': { to: false, tells: /task 1 landed/ } },
  },
  { change: { 'testing.sanity.build': { to: 'test ! -f src/1.txt', tells: /task 1 landed/ } } },
  {
    files: LINT,
    with: { quality: { lint_blocks: true } },
    change: { 'testing.sanity.lint': { to: 'sh test/lint.sh', tells: /task 1 landed/ } },
  },
  {
    files: LINT,
    with: { quality: { lint_blocks: true } },
    change: { 'quality.lint_command': { to: 'sh test/lint.sh', tells: /task 1 landed/ } },
  },
  {
    files: LINT,
    with: { quality: { lint_command: 'sh test/lint.sh' } },
    change: { 'quality.lint_blocks': { to: true, tells: /task 1 landed/ } },
  },
  {
    with: { ...OPEN, quality: { lint_command: 'echo linted >> $HOME/lints' } },
    look: project => read(project, '../home/lints'),
    change: { 'quality.warn_on_lint_errors': { to: false, tells: /linted/ } },
  },
  {
    files: play(`${WORK}, { edit: { file: src/long.txt, content: "1\\n2\\n3\\n4\\n" } }, { claim: done }`),
    with: { quality: { size_blocks: true } },
    change: { 'quality.max_file_lines': { from: 500, to: 3, tells: /task 1 landed/ } },
  },
  {
    files: play(`${WORK}, { edit: { file: src/long.txt, content: "1\\n2\\n3\\n4\\n" } }, { claim: done }`),
    with: { quality: { max_file_lines: 3 } },
    change: { 'quality.size_blocks': { to: true, tells: /task 1 landed/ } },
  },
  {
    run: [['run', '--all', '--max-sessions', '2']],
    change: { 'quality.cleanup_interval': { to: 1, tells: /cleanup-1/ } },
  },
];
