import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commit, makeProject } from '../../support/cli.ts';
import { git, makeTempDir, write } from '../../support/git-fixture.ts';

/** One situation in which a newcomer can find themselves; what they read has to name command, reason and fix. */
export interface Situation {
  readonly name: string;
  readonly args?: readonly string[];
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Where it is not a whole project that is at fault; may name another folder to stand in. */
  readonly spoil?: (dir: string) => string | undefined;
  readonly code: number;
  readonly says: readonly (string | RegExp)[];
  readonly env?: Readonly<Record<string, string>>;
}

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tax } from '../src/tax.js';
test('tax', () => assert.equal(tax(100), 19));
`;
const AGENT = "#!/bin/sh\nprintf 'export const tax = n => n * 0.19;\\n' > src/tax.js\n";
const getConfig = (agent: string, testing = 'full: node --test, runner: node', more = ''): string =>
  `project: { name: shop }\nagent: { ${agent} }\ntesting: { ${testing} }\n${more}`;
const COMMAND = 'provider: command, command: ./agent.sh';
const getBacklog = (testFile: string): string =>
  `${JSON.stringify({ project: 'shop', features: [{ id: 1, description: 'Totals include tax', test_file: testFile, passes: false }] }, null, 2)}\n`;

/** The project of a newcomer: one red test, one that passes, and an agent that does what it should. */
export function makeNewcomer({ config, files = {} }: Situation): string {
  const dir = makeProject({
    '.harness.yaml': config ?? getConfig(COMMAND),
    'features.json': getBacklog('test/tax.test.js'),
    'package.json': '{ "type": "module" }\n',
    'src/shop.js': 'export const open = true;\n',
    'test/tax.test.js': TEST,
    'test/shop.test.js': "import { test } from 'node:test';\ntest('open', () => {});\n",
    ...files,
  });
  rmSync(join(dir, 'test/all.sh'));
  git(
    dir,
    'rm',
    '-rqf',
    'agent.yaml',
    'test/all.sh',
    'test/thing-1.sh',
    'test/thing-2.sh',
    'test/thing-3.sh',
  );
  write(dir, { 'agent.sh': AGENT });
  chmodSync(join(dir, 'agent.sh'), 0o755);
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'Set up');
  return dir;
}

/** A file that git does not know, in the place of one that it knew. */
const uncommit = (dir: string, ...paths: readonly string[]) => {
  git(dir, 'rm', '-q', '--cached', ...paths);
  git(dir, 'commit', '-qm', 'Without');
  return undefined;
};
const outside = (mode: number) => (dir: string) => {
  const path = join(dirname(dir), 'agent-outside.sh');
  writeFileSync(path, AGENT);
  chmodSync(path, mode);
  commit(dir, { '.harness.yaml': getConfig(`provider: command, command: ${path}`) });
  return undefined;
};

const AGENTS: readonly Situation[] = [
  {
    name: 'no agent is configured',
    config: getConfig('provider: scripted'),
    code: 2,
    says: ['no agent is configured', 'harness-agent.yaml', 'provider: command', '.harness.yaml'],
  },
  {
    name: 'the script of the embedded agent is missing',
    config: getConfig('provider: scripted, script: moves.yaml'),
    code: 2,
    says: ['moves.yaml', 'no script', 'fix:'],
  },
  {
    name: 'the agent is missing',
    spoil: dir => {
      git(dir, 'rm', '-q', 'agent.sh');
      git(dir, 'commit', '-qm', 'gone');
      return undefined;
    },
    code: 2,
    says: ['"./agent.sh" is not found', 'agent.command'],
  },
  {
    name: 'the agent is a program that is not installed',
    config: getConfig('provider: command, command: no-such-agent --fast'),
    code: 2,
    says: ['no-such-agent of "no-such-agent --fast" is not found', 'install no-such-agent'],
  },
  {
    name: 'the agent is not committed',
    spoil: dir => uncommit(dir, 'agent.sh'),
    code: 2,
    says: ['"./agent.sh" is not committed on main', 'git add agent.sh && git commit'],
  },
  {
    name: 'the agent is not executable',
    spoil: dir => {
      git(dir, 'update-index', '--chmod=-x', 'agent.sh');
      git(dir, 'commit', '-qm', 'mode');
      return undefined;
    },
    code: 2,
    says: ['"./agent.sh"', 'cannot be run', 'git update-index --chmod=+x agent.sh'],
  },
  {
    name: 'an interpreter is given a script that is not committed',
    config: getConfig('provider: command, command: sh agent.sh'),
    spoil: dir => uncommit(dir, 'agent.sh'),
    code: 2,
    says: ['"sh agent.sh" is not committed', 'git add agent.sh'],
  },
  {
    name: 'the agent lies outside and is not executable',
    spoil: outside(0o644),
    code: 2,
    says: ['agent-outside.sh', 'is not a program that you may run', 'chmod +x'],
  },
  {
    name: 'the agent lies in a temporary folder, which the sandbox hides',
    spoil: outside(0o755),
    code: 2,
    says: ['agent-outside.sh', 'the sandbox hides it', 'sandbox.readable'],
  },
  ...(['claude', 'codex'] as const).map(provider => ({
    name: `the SDK of ${provider} is not installed`,
    config: getConfig(`provider: ${provider}`),
    code: 2,
    says: ['is not installed', 'npm install --save-dev'],
  })),
  {
    name: 'the SDK of a reviewer is not installed',
    config: getConfig(COMMAND, undefined, 'models: { review: { provider: claude } }\n'),
    code: 2,
    says: ['is not installed', 'npm install --save-dev @anthropic-ai/claude-agent-sdk'],
  },
  {
    name: 'an agent over ACP has no command',
    config: getConfig('provider: acp'),
    code: 2,
    says: ['agent.command'],
  },
  {
    name: 'the script of the agent cannot find its tool',
    spoil: dir => {
      commit(dir, { 'agent.sh': '#!/bin/sh\nexec no-such-tool -p\n' });
      return undefined;
    },
    code: 1,
    says: ['./agent.sh could not be started', 'no-such-tool', 'harness doctor'],
  },
];

const TESTS: readonly Situation[] = [
  {
    name: 'the test command names a runner that is not there',
    config: getConfig(COMMAND, 'full: npx --no-install moccha, runner: command'),
    code: 1,
    says: ['npx --no-install moccha', 'could not be started', /npm (error|ERR!)/, 'testing.full'],
  },
  {
    name: 'the test command is not a program',
    config: getConfig(COMMAND, 'full: moccha, runner: command'),
    code: 1,
    says: ['moccha could not be started', 'not found', 'testing.full in .harness.yaml'],
  },
  {
    name: 'the script of the test command is missing',
    config: getConfig(COMMAND, 'full: npm run tset, runner: command'),
    code: 1,
    says: ['npm run tset', 'Missing script', 'testing.full'],
  },
  {
    name: 'pytest is not what Python has',
    config: getConfig(COMMAND, 'full: python3 -S -m pytest, runner: pytest'),
    code: 1,
    says: ['python3 -S -m pytest', 'No module named pytest', 'environment.install'],
  },
  {
    name: 'there is no test command',
    config: `project: { name: shop }\nagent: { ${COMMAND} }\n`,
    code: 1,
    says: ['no command is configured that could prove task 1', 'testing.full'],
  },
  {
    name: 'dependencies do not install',
    config: getConfig(
      COMMAND,
      undefined,
      "environment: { install: 'echo npm warn old >&2; echo npm error code ECONNREFUSED >&2; exit 1' }\n",
    ),
    code: 1,
    says: ['environment.install', 'ECONNREFUSED', 'exit 1', '$ echo npm warn old'],
  },
  {
    name: 'the test of the task is not committed',
    spoil: dir => uncommit(dir, 'test/tax.test.js'),
    code: 2,
    says: ['test/tax.test.js of task 1', 'not committed on main', 'git add test/tax.test.js'],
  },
  {
    name: 'the same in a run of all tasks',
    args: ['run', '--all'],
    spoil: dir => uncommit(dir, 'test/tax.test.js'),
    code: 2,
    says: ['test/tax.test.js of task 1', 'git add test/tax.test.js'],
  },
  {
    name: 'the test file of the task is mistyped',
    files: { 'features.json': getBacklog('tset/tax.test.js') },
    code: 2,
    says: ['tset/tax.test.js of task 1 is not there, and test/tax.test.js is', 'features.json'],
  },
  {
    name: 'a task is added with a mistyped test file',
    args: ['add', 'More', '--test-file', 'tset/tax.test.js'],
    code: 2,
    says: ['tset/tax.test.js is not there, and test/tax.test.js is', '--new-test'],
  },
  {
    name: 'a task is added with a folder of tests',
    args: ['add', 'More', '--test-file', 'test'],
    code: 2,
    says: ['test is a folder', '--test-file test/<file>'],
  },
  {
    name: 'a task is added with a test that is not committed',
    args: ['add', 'More', '--test-file', 'test/more.test.js'],
    spoil: dir => {
      write(dir, { 'test/more.test.js': TEST });
      return undefined;
    },
    code: 0,
    says: ['test/more.test.js is not committed', 'git add features.json test/more.test.js', '--commit'],
  },
];

const PLACES: readonly Situation[] = [
  {
    name: 'it is no repository',
    spoil: () => makeTempDir(),
    code: 2,
    says: ['not a git repository', 'git init'],
  },
  {
    name: 'no configuration found',
    spoil: dir => {
      uncommit(dir, '.harness.yaml');
      rmSync(join(dir, '.harness.yaml'));
      return undefined;
    },
    code: 2,
    says: ['harness init'],
  },
  {
    name: 'the backlog is not committed',
    spoil: dir => uncommit(dir, 'features.json'),
    code: 2,
    says: ['features.json', 'not committed', 'git add features.json'],
  },
  {
    name: 'a setting is mistyped',
    config: getConfig(COMMAND, 'fulll: node --test'),
    code: 2,
    says: ['.harness.yaml', 'testing.fulll', 'testing.full'],
  },
  {
    name: 'a command is mistyped',
    args: ['rnu'],
    code: 2,
    says: ['rnu', 'run'],
  },
  {
    name: 'a task is named that is not there',
    args: ['run', '--task', '7'],
    code: 2,
    says: ['"7"', 'there are 1'],
  },
  {
    name: 'nobody is asked about the task that is approved',
    args: ['approve', '1'],
    code: 2,
    says: ['task "1"', 'harness'],
  },
];

export const SITUATIONS: readonly Situation[] = [...AGENTS, ...TESTS, ...PLACES];
