import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getRequest } from '../../../../test/contracts/agent.ts';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { AgentEvent, SessionRequest } from '../../../ports/index.ts';
import { createClock } from '../../process/clock.ts';
import { createRandom } from '../../process/random.ts';
import { createShell } from '../../process/shell.ts';
import { createAgent } from '../providers.ts';
import { type CommandOptions, createCommandAgent } from './command.ts';

const makeDir = useTempDir();
const owner = { workerId: 'w-command', random: createRandom() };

async function run(command: string, more: Partial<CommandOptions> = {}, cwd = makeDir()) {
  const events: AgentEvent[] = [];
  const agent = createCommandAgent({ owner, command, graceMs: 100, ...more });
  const result = await agent.run(getRequest(cwd), event => events.push(event));
  const texts = events.filter(event => event.type === 'text').map(event => event.text);
  return { result, events, texts };
}

test('the prompt comes on stdin and in a file, the task in another one, and both go afterwards', async () => {
  const { result, texts } = await run(
    'cat; cat $HARNESS_PROMPT_FILE; echo $HARNESS_TASK_ID $HARNESS_ATTEMPT $HARNESS_SESSION; ' +
      'tr -d "\\n" < $HARNESS_TASK_FILE; echo; echo $HARNESS_PROMPT_FILE; echo $HARNESS_TASK_FILE; pwd',
  );
  expect(result.outcome).toBe('claimed');
  expect(texts.slice(0, 3)).toEqual(['Make the file.', 'Make the file.', '7 2 11']);
  expect(JSON.parse(texts[3] ?? '')).toEqual({
    id: '7',
    title: 'Make a file',
    category: null,
    priority: 3,
    depends_on: ['2'],
    test_file: 'test/a.test.js',
    validation: { command: 'test -f src/a.txt', timeout_seconds: 5 },
    verification_steps: ['Look at it'],
    verification_type: 'automated',
    may_change: [],
    size: 'small',
    max_attempts: 3,
    attempt: 2,
    session: 11,
  });
  const [, , , , promptFile = '', taskFile = '', cwd = '-'] = texts;
  expect([promptFile, taskFile].map(path => path.startsWith(cwd))).toEqual([false, false]);
  expect([promptFile, taskFile].map(existsSync)).toEqual([false, false]);
});

test('a reviewer is told where the work lies; nobody else is', async () => {
  const command = 'echo "dir: $HARNESS_CANDIDATE_DIR"';
  const agent = createCommandAgent({ owner, command });
  const request = { ...getRequest(makeDir()), role: 'review' };
  const lastTurn = await agent.run({ ...request, candidateDir: '/candidate' }, () => undefined);
  expect([lastTurn.summary, (await run(command)).result.summary]).toEqual(['dir: /candidate', 'dir:']);
});

test('a relative program is the one in the worktree', async () => {
  const cwd = makeDir();
  writeFileSync(join(cwd, 'agent.sh'), '#!/bin/sh\necho from the worktree: $1\n');
  chmodSync(join(cwd, 'agent.sh'), 0o755);
  const { result } = await run('./agent.sh --fast', {}, cwd);
  expect(result).toMatchObject({ outcome: 'claimed', summary: 'from the worktree: --fast' });
});

test.each([
  ['true', 'claimed', /^true exited 0\.$/],
  ['echo no luck >&2; exit 3', 'not-done', /exited 3: no luck$/],
  ['./missing.sh', 'crashed', /^\.\/missing\.sh could not be started: .*No such file/],
  ['/', 'crashed', /^\/ could not be started/],
  ['kill -9 $$', 'crashed', /was ended by SIGKILL/],
  ['sh -c "kill -9 \\$\\$"; exit $?', 'crashed', /was ended by signal 9/],
])('%s is %s', async (command, outcome, summary) => {
  const { result } = await run(command);
  expect(result.outcome).toBe(outcome);
  expect(result.summary).toMatch(summary);
});

test.each([
  ['./missing.sh', 'start'],
  ['echo begun; ./missing.sh', undefined],
])('%s is charged to nobody when nothing had begun', async (command, kind) => {
  expect((await run(command)).result.failure?.kind).toBe(kind);
});

test('a worktree that is not there is a crash that names the command', async () => {
  const { result } = await run('./agent.sh', {}, '/no/such/dir');
  expect(result).toMatchObject({
    outcome: 'crashed',
    summary: './agent.sh could not be started: no such directory: /no/such/dir',
  });
});

test('prefixed lines are events, unless they are not to be read', async () => {
  const program = `echo '[CMD:RUN] npm test'; echo '[CMD:EXIT] 0'; echo '[CMD:RUN] npm start'`;
  const command = { type: 'command', output: '' };
  expect((await run(program)).events).toEqual([
    { ...command, command: 'npm test', exitCode: 0 },
    { ...command, command: 'npm start', exitCode: null },
  ]);
  expect((await run(program, { readPrefixes: false })).texts).toHaveLength(3);
});

/** Says something as soon as the program has begun, and what became of it. */
async function say(command: string) {
  const cwd = makeDir();
  const deliveries: unknown[] = [];
  let tell: (text: string) => unknown = () => undefined;
  const injections = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  const texts: string[] = [];
  const agent = createCommandAgent({ owner, command: `touch begun; ${command}`, graceMs: 100 });
  const running = agent.run({ ...getRequest(cwd), injections } as SessionRequest, event => {
    if (event.type === 'text') texts.push(event.text);
  });
  while (!existsSync(join(cwd, 'begun'))) await sleep(20);
  for (let left = 100; left > 0 && deliveries.at(-1) !== 'told' && texts.length === 0; left--) {
    deliveries.push(tell('Wrap up.\nNow.'));
    await sleep(20);
  }
  await running;
  return { texts, deliveries };
}

test('words said to a program at work lie in a file that it may look into', async () => {
  const wait = 'until [ -s $HARNESS_MESSAGES ]; do sleep 0.05; done; head -n 1 $HARNESS_MESSAGES; sleep 0.2';
  const { texts, deliveries } = await say(wait);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ text: 'Wrap up.\nNow.' });
  expect(new Set(deliveries)).toEqual(new Set(['left']));
});

test('words come through the pipe where the program reads it, and nothing else counts as told', async () => {
  const { texts, deliveries } = await say('read -r line < $HARNESS_MESSAGES_PIPE; echo "$line"');
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ text: 'Wrap up.\nNow.' });
  expect(deliveries.at(-1)).toBe('told');
});

test('what it does in silence is seen: files before its use is counted, commands while they run', async () => {
  const usage = `echo '[USAGE] {"input_tokens":1}'`;
  const test = 'sh -c "sleep 1; exit 0" npm-test';
  const quiet = `mkdir src; echo x > src/a.ts; ${usage}; ${test}; ${test}; true`;
  const { events } = await run(quiet, { tracksFallback: true });
  const seen = events.filter(event => 'inferred' in event);
  const files = seen.flatMap(event => (event.type === 'file' ? [event.path] : []));
  expect(files.slice(0, 2)).toEqual(['src', 'src/a.ts']);
  const lastFile = events.findIndex(event => event.type === 'file' && event.path === 'src/a.ts');
  expect(events.findIndex(({ type }) => type === 'usage')).toBeGreaterThan(lastFile);
  expect(seen.filter(event => event.type === 'command' && event.command.includes('npm-test'))).toHaveLength(
    2,
  );
  expect((await run(quiet)).events.filter(event => 'inferred' in event)).toEqual([]);
});

test('its report is not its word: the last line that is none is the summary', async () => {
  const { result } = await run('echo It works.; echo "ok 1 - adds"; echo "# duration_ms 226.8"');
  expect(result.summary).toBe('It works.');
  expect(
    (await run('echo It works.; echo "[VERIFY:PASS] #7"; echo "[VISUAL:VERIFY] blue"')).result.summary,
  ).toBe('It works.');
});

test('a line can ask a person, however the program ends', async () => {
  const ask = `echo '[ASK] {"question":"The port?","check":"it answers"}'`;
  const question = { question: 'The port?', why: '', steps: [], check: 'it answers' };
  expect((await run(ask)).result).toMatchObject({ outcome: 'claimed', question });
  expect((await run(`${ask}; exit 1`)).result).toMatchObject({ outcome: 'not-done', question });
  expect((await run(ask, { readPrefixes: false })).result.question).toBeUndefined();
});

test('a planner, which has no worktree, is found in the project', async () => {
  const projectRoot = makeDir();
  writeFileSync(join(projectRoot, 'agent.sh'), '#!/bin/sh\necho from the project: $1\n');
  chmodSync(join(projectRoot, 'agent.sh'), 0o755);
  const agent = createCommandAgent({ owner, command: './agent.sh --fast', projectRoot });
  const result = await agent.run({ ...getRequest(makeDir()), role: 'planner' }, () => undefined);
  expect(result.summary).toBe('from the project: --fast');
});

test.each([
  ['planner', 'sh agent.sh --fast'],
  ['summariser', 'sh -e ./agent.sh --fast'],
  ['summariser', 'A=1 sh "agent.sh" --fast'],
] as const)('a %s in a folder of its own finds what an interpreter is given: %s', async (role, command) => {
  const projectRoot = makeDir();
  writeFileSync(join(projectRoot, 'agent.sh'), 'echo from the project: $1\n');
  const agent = createCommandAgent({ owner, command, projectRoot });
  const result = await agent.run({ ...getRequest(makeDir()), role }, () => undefined);
  expect(result.summary).toBe('from the project: --fast');
});

test('the program sees no variable of ours that it was not given', async () => {
  process.env.SECRET_TOKEN = 's3cret';
  try {
    expect((await run('env')).texts.join('\n')).not.toContain('s3cret');
    expect((await run('env', { passEnv: ['SECRET_TOKEN'] })).texts).toContain('SECRET_TOKEN=s3cret');
  } finally {
    delete process.env.SECRET_TOKEN;
  }
});

test('a program that floods us is heard up to a limit, and its usage always', async () => {
  const { result, texts } = await run(
    `yes ${'x'.repeat(999)} | head -n 20000; echo '[USAGE] {"input_tokens":1}'; echo end`,
  );
  expect(result).toMatchObject({ outcome: 'claimed', summary: 'end', usage: { inputTokens: 1 } });
  expect(texts.length).toBeLessThan(9_000);
  expect(texts.at(-1)).toMatch(/more lines left out/);
});

const tools = { owner, shell: createShell(owner), clock: createClock() };

test.each(['gemini', 'toString'])('the provider %s is refused with the ones there are', provider => {
  const create = () => createAgent(provider, { projectRoot: '/x' }, tools);
  expect(create).toThrow(HarnessError);
  expect(create).toThrow(`The agent "${provider}" is not in this version.`);
});

test.each(['', null, ' '])('the provider command needs a command, not %j', command => {
  const create = () => createAgent('command', { command, projectRoot: '/x' }, tools);
  expect(create).toThrow('needs a command');
});

test.each([
  ['echo words', 'warn', 'claimed', 1],
  ['echo words', 'ignore', 'claimed', 0],
  ['echo "[CMD:RUN] ls"', 'warn', 'claimed', 0],
  ['echo words', 'refuse', 'not-done', 0],
  ['echo "[FILE:WRITE] a"', 'refuse', 'claimed', 0],
] as const)(
  '%s, where missing prefixes are to %s: %s',
  async (command, missingPrefixes, outcome, lastTurn) => {
    const { result, events } = await run(command, { missingPrefixes });
    expect(result.outcome).toBe(outcome);
    expect(events.filter(({ type }) => type === 'advice')).toHaveLength(lastTurn);
    if (outcome === 'not-done') expect(result.summary).toContain('logging.require_prefixes');
  },
);

test('where prefixes are not read, none is missed', async () => {
  const { result } = await run('echo words', { readPrefixes: false, missingPrefixes: 'refuse' });
  expect(result.outcome).toBe('claimed');
});
