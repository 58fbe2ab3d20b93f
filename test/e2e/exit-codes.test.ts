import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { CONFIG, getBacklog, makeProject, runCli } from '../support/cli.ts';
import { SHELL_ENV } from '../support/git-fixture.ts';
import { typeAtTerminal } from '../support/terminal.ts';

const DOCUMENTED: readonly number[] = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  .split('## Exit codes')[1]
  ?.match(/^\| \d+ \|/gm)
  ?.map(cell => Number(cell.slice(2, -2))) as number[];

const program = inject('harnessProgram');
const run = async (files: Readonly<Record<string, string>>, ...args: string[]) =>
  (await runCli(makeProject(files), args)).code;
const agent = (...moves: string[]) => ({ 'agent.yaml': `tasks: { "*": [${moves.join(', ')}] }\n` });
const DONE = ['{ edit: { file: src/1.txt, content: x } }', '{ claim: done }'];
const LARGE = {
  id: 9,
  description: 'Thing 9',
  test_file: 'test/thing-2.sh',
  verification_steps: [...'12345678'],
};

/** One way to each code, as somebody comes by it. */
const WAYS: readonly (readonly [code: number, what: string, way: () => Promise<number>])[] = [
  [0, 'a task lands', () => run({}, 'run')],
  [
    1,
    'the environment is broken',
    () => run({ '.harness.yaml': `${CONFIG}environment: { init: exit 1 }\n` }, 'run'),
  ],
  [2, 'an argument is wrong', () => run({}, 'run', '--task', 'none')],
  [2, 'the backlog cannot be read', () => run({ 'features.json': '{' }, 'run')],
  [3, 'somebody says no', sayNo],
  [4, 'the agent cannot log in', () => run(agent('{ refuse: { kind: auth } }'), 'run')],
  [5, 'the work is rejected', () => run(agent('{ lie: done }'), 'run')],
  [6, 'the budget is spent', runOutOfMoney],
  [7, 'a question is open, although work landed', () => run(withLarge(), 'run', '--all', '--max-tasks', '1')],
  [7, 'a question is open, and somebody asks what comes next', askNext],
  [130, 'somebody presses Ctrl-C', interrupt],
];

describe.concurrent('an exit code of docs/cli.md', { timeout: 60_000 }, () => {
  it('has a way to it here, and none is left out there', () => {
    expect([...new Set(WAYS.map(([code]) => code))]).toEqual(DOCUMENTED);
    expect([...new Set([0, ...Object.values(EXIT_CODES), 130])].sort((a, b) => a - b)).toEqual(DOCUMENTED);
  });

  it.each(WAYS)('%i: %s', async (code, _, way) => {
    expect(await way()).toBe(code);
  });
});

function withLarge(): Record<string, string> {
  const one = { id: 1, description: 'Thing 1', test_file: 'test/thing-1.sh' };
  return {
    'features.json': getBacklog([one, LARGE].map((each, i) => ({ ...each, priority: 1 - i }))),
    ...agent(...DONE),
  };
}

async function askNext(): Promise<number> {
  const dir = makeProject(withLarge());
  await runCli(dir, ['run', '--all']);
  const [quick, long] = [await runCli(dir, ['next']), await runCli(dir, ['next', '--json', '--repo=.'])];
  expect(long.code).toBe(quick.code);
  return quick.code;
}

async function runOutOfMoney(): Promise<number> {
  const costs = `${CONFIG}costs: { total_project_usd: 1 }\n`;
  const dir = makeProject({ '.harness.yaml': costs, ...agent('{ burn: { cost_usd: 2 } }', ...DONE) });
  await runCli(dir, ['run']);
  return (await runCli(dir, ['run', '--all'])).code;
}

async function sayNo(): Promise<number> {
  const line = `"${process.execPath}" "${program}" abort --clear`;
  return (await typeAtTerminal(line, [['[y/N]', 'n']], { cwd: makeProject(), env: SHELL_ENV })).code;
}

async function interrupt(): Promise<number> {
  const child = spawn(process.execPath, [program, 'run'], {
    cwd: makeProject(agent('{ hang: true }')),
    env: SHELL_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    said += more;
  });
  while (!said.includes('attempt 1')) await sleep(20);
  child.kill('SIGINT');
  return new Promise(resolve => child.on('close', code => resolve(code ?? -1)));
}
