import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getRequest } from '../../../../test/contracts/agent.ts';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { createClock } from '../../process/clock.ts';
import { createRandom } from '../../process/random.ts';
import { createShell } from '../../process/shell.ts';
import { createScriptedAgent } from './scripted.ts';

const makeDir = useTempDir();
const shell = createShell({ workerId: 'w-scripted', random: createRandom() });

async function play(script: string | null, cwd = makeDir()) {
  const scriptPath = join(makeDir(), 'harness-agent.yaml');
  if (script !== null) writeFileSync(scriptPath, script);
  const agent = createScriptedAgent(
    { projectRoot: '/', script: scriptPath },
    { shell, clock: createClock() },
  );
  const events: AgentEvent[] = [];
  const result = await agent.run(getRequest(cwd), event => events.push(event));
  return { result, events, cwd, scriptPath };
}

function playMoves(moves: readonly unknown[], cwd?: string) {
  return play(JSON.stringify({ tasks: { 7: moves } }), cwd);
}

test('moves happen in order and are told as they happen', async () => {
  const { result, events, cwd } = await playMoves([
    { say: 'starting' },
    { edit: { file: 'a/b.txt', content: 'one $1 one' } },
    { edit: { file: 'a/b.txt', find: 'one', replace: "$& two $'" } },
    { edit: { file: 'a/b.txt', append: '\nmore' } },
    { run: 'cat a/b.txt; exit 4' },
    { sleep: 0.01 },
    { edit: { file: 'gone.txt', content: '' } },
    { delete: 'gone.txt' },
    { lie: 'done' },
    { say: 'never said' },
  ]);
  const text = "$& two $' $1 one\nmore";
  expect(result).toMatchObject({ outcome: 'claimed', summary: 'done' });
  expect(readFileSync(join(cwd, 'a/b.txt'), 'utf8')).toBe(text);
  expect(existsSync(join(cwd, 'gone.txt'))).toBe(false);
  expect(events).toEqual([
    { type: 'text', text: 'starting' },
    ...Array.from({ length: 3 }, () => ({ type: 'file', action: 'write', path: 'a/b.txt' })),
    { type: 'command', command: 'cat a/b.txt; exit 4', exitCode: 4, output: text },
    { type: 'file', action: 'write', path: 'gone.txt' },
    { type: 'file', action: 'delete', path: 'gone.txt' },
  ]);
});

test('a script that ends without a claim claims nothing', async () => {
  expect((await playMoves([{ say: 'hm' }])).result).toMatchObject({
    outcome: 'not-done',
    summary: expect.stringContaining('without a claim'),
  });
});

test('without a script the agent says which file to write', async () => {
  const { result, events, scriptPath } = await play(null);
  expect(result.outcome).toBe('not-done');
  expect(result.summary).toContain(scriptPath);
  expect(events).toEqual([{ type: 'text', text: result.summary }]);
});

test('without an entry for the task the agent says which file to edit', async () => {
  const { result, scriptPath } = await play('tasks: { 8: [{ claim: done }] }');
  expect(result).toMatchObject({ outcome: 'not-done', summary: expect.stringContaining(scriptPath) });
  expect(result.summary).toContain('task 7');
});

test('a script with a mistake is an error of the config, not of the attempt', async () => {
  await expect(play('tasks: { 7: [{ shout: loud }] }')).rejects.toThrow(HarnessError);
});

test('the example in the hint is a script', async () => {
  const { result } = await play(null);
  const [example] = /tasks: \{.*\] \}/.exec(result.summary) ?? [];
  expect((await play(example ?? '')).result).toMatchObject({ outcome: 'claimed' });
});

test.each([
  ['a path that climbs out', { edit: { file: '../outside/x', content: 'x' } }],
  ['an absolute path', { edit: { file: '/tmp/harness-should-not-exist', content: 'x' } }],
  ['a path through a symlink', { edit: { file: 'link/x', content: 'x' } }],
  ['a symlink to a file outside', { edit: { file: 'link-to-file', content: 'x' } }],
  ['a symlink to nowhere', { edit: { file: 'dangling', content: 'x' } }],
  ['a deletion through a symlink', { delete: 'link/kept.txt' }],
  ['the deletion of the directory itself', { delete: '.' }],
])('%s is refused, and nothing outside changes', async (_what, move) => {
  const dir = makeDir();
  const [cwd, outside] = [join(dir, 'work'), join(dir, 'outside')];
  for (const folder of [cwd, outside]) mkdirSync(folder);
  writeFileSync(join(outside, 'kept.txt'), 'kept');
  symlinkSync(outside, join(cwd, 'link'));
  symlinkSync(join(outside, 'kept.txt'), join(cwd, 'link-to-file'));
  symlinkSync(join(outside, 'new.txt'), join(cwd, 'dangling'));
  const { result, events } = await playMoves([move, { claim: 'done' }], cwd);
  expect(result).toMatchObject({ outcome: 'not-done', summary: expect.stringContaining('outside') });
  expect(events).toEqual([{ type: 'error', kind: 'bad_request', message: result.summary }]);
  expect(readFileSync(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  expect(
    [join(outside, 'x'), join(outside, 'new.txt'), '/tmp/harness-should-not-exist'].filter(existsSync),
  ).toEqual([]);
  expect(existsSync(cwd)).toBe(true);
});

test('a symlink that is deleted goes itself, and not what it points to', async () => {
  const [cwd, outside] = [makeDir(), makeDir()];
  writeFileSync(join(outside, 'kept.txt'), 'kept');
  symlinkSync(outside, join(cwd, 'link'));
  expect((await playMoves([{ delete: 'link' }, { claim: 'done' }], cwd)).result.outcome).toBe('claimed');
  expect([existsSync(join(cwd, 'link')), existsSync(join(outside, 'kept.txt'))]).toEqual([false, true]);
});

test.each([
  [{ edit: { file: 'none.txt', find: 'a', replace: 'b' } }, /none\.txt does not exist/],
  [{ edit: { file: 'some.txt', find: 'a', replace: 'b' } }, /some\.txt does not hold/],
  [{ edit: { file: 'folder', content: 'x' } }, /cannot write folder/],
  [{ delete: 'none.txt' }, /cannot delete none\.txt/],
])('%j that cannot be done ends the session with the reason', async (move, reason) => {
  const cwd = makeDir();
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'some.txt'), 'x');
  const { result } = await playMoves([move, { claim: 'done' }], cwd);
  expect(result.outcome).toBe('not-done');
  expect(result.summary).toMatch(reason);
});

test('a refusal is the failure of a provider, with the time to come back', async () => {
  const { result } = await playMoves([{ refuse: { kind: 'rate_limit', retry_seconds: 60 } }]);
  expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'rate_limit' } });
  expect(result.failure?.retryAtMs).toBeGreaterThan(Date.now());
});
