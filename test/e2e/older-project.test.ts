import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, runJson } from '../support/cli.ts';

const PACKED = join(import.meta.dirname, '..', 'fixtures', 'older-project', 'shop.tgz');
const place = mkdtempSync(join(tmpdir(), 'harness-older-'));
const dir = join(place, 'shop');

beforeAll(() => {
  execFileSync('tar', ['xzf', PACKED, '-C', place]);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

it('a project of an older version shows where it stands', async () => {
  const status = await runJson(dir, ['status']);
  expect(status).toMatchObject({
    counts: { landed: 2, active: 1, blocked: 1 },
    sessions: 5,
    questions: [{ id: 'agent-3-1', task: '3' }],
    baseline: { passing: 3, failing: 2 },
    tasks: [
      { id: '1', status: 'landed' },
      { id: '2', status: 'active' },
      { id: '3', status: 'blocked' },
      { id: '4', status: 'landed' },
    ],
  });
  const { stdout } = await runCli(dir, ['log', '--limit', '1000', '--json']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).seq),
  ).toHaveLength(55);
});

it('what it landed is proven still, by the same proof', async () => {
  expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, sound: true, landings: [{}, {}] });
  const { hash } = await runJson<{ hash: string }>(dir, ['proof', '1']);
  expect(await runJson(dir, ['verify', '1'])).toMatchObject({
    verdict: 'proven',
    proof: { named: hash, remade: hash, result: 'same' },
  });
});

it('and the next run goes on with the session that was killed and the question that was open', async () => {
  await runJson(dir, ['answer', 'agent-3-1', 'answer', '--text', 'it throws']);
  const { code } = await runCli(dir, ['run', '--all']);
  expect(code).toBe(0);
  expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 4 }, questions: [] });
  expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, sound: true });
});
