import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commit, getBacklog } from '../support/cli.ts';
import { Host, makeRemote } from '../support/fleet.ts';
import { git } from '../support/git-fixture.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const AGENT = `task=$(grep -o 'thing-[0-9]' | head -1 | cut -d- -f2)
mkdir -p src && echo "$task" > "src/$task.txt"
`;
const CONFIG = `project: { name: together }
testing: { runner: command, full: sh test/all.sh, feature: 'sh {file}' }
agent: { provider: command, command: sh agent.sh }
git: { remote: origin, base_branch: main }
lease: { ttl_seconds: 8, heartbeat_seconds: 2 }
sandbox: { mode: 'off' }
`;
const FILES = {
  '.harness.yaml': CONFIG,
  'agent.sh': AGENT,
  'features.json': getBacklog(
    [1, 2].map(id => ({ id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh` })),
  ),
  'test/thing-1.sh': 'test -f src/1.txt\n',
  'test/thing-2.sh': 'test -f src/2.txt\n',
  'test/all.sh': 'exit 0\n',
};

const getLandings = (remote: string): string[] =>
  git(remote, 'log', '--format=%(trailers:key=Harness-Task,valueonly)', 'main').match(/\d+/g) ?? [];

/** Shoots whoever pushes to a ref of task 1 for the second time: the work is there, and not yet recorded. */
const SHOOT = `#!/bin/sh
grep -q refs/harness/attempts/1/ || exit 0
echo >> pushes
[ "$(wc -l < pushes)" -eq 2 ] || exit 0
at=$PPID
while [ "$at" -gt 1 ]; do
  tr '\\0' ' ' < "/proc/$at/cmdline" | grep -q 'run --task' && kill -9 "$at" && exit 0
  at=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$at/status")
done
`;

it('a host that is lost between its push and its record is gone on without, from what it pushed', async () => {
  const remote = makeRemote(FILES);
  writeFileSync(join(remote, 'hooks/post-receive'), SHOOT);
  chmodSync(join(remote, 'hooks/post-receive'), 0o755);
  const url = await server.createDatabase('shot');
  const [left, right] = [new Host('left', remote, url), new Host('right', remote, url)];
  expect((await left.harness('run', '--task', '1')).code).toBe(-1);
  expect(getLandings(remote)).toEqual([]);
  const { code, stdout, stderr } = await right.harness('run', '--all', '--workers', '2');
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('task 1: adopted')]);
  expect(stdout + stderr).not.toMatch(/lane \d failed|the base moved/);
  expect(getLandings(remote).sort()).toEqual(['1', '2']);
  const started = "SELECT FROM harness.events WHERE type = 'attempt.started'";
  expect(await server.query(url, started)).toHaveLength(2);
  const fleet = await right.harness('fleet');
  expect(fleet.stdout).toContain('Host h-left: 0 workers, 1 gone without a word\nQueue: empty\nnext:');
}, 120_000);

it('a second clone that passes for the same host is refused while the first one works, and told what to set', async () => {
  const remote = makeRemote({ ...FILES, 'agent.sh': `sleep 8\n${AGENT}` });
  const url = await server.createDatabase('twins');
  const [one, two] = [new Host('same', remote, url), new Host('same', remote, url)];
  const first = one.harness('run', '--task', '1');
  const begun = "SELECT FROM harness.events WHERE type = 'session.started'";
  await expect.poll(() => server.query(url, begun).catch(() => []), { timeout: 30_000 }).toHaveLength(1);
  const second = await two.harness('run', '--task', '2');
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringMatching(/another clone is at work as host h-same[\s\S]*fix: *set HARNESS_HOST_ID/),
  ]);
  expect((await first).code).toBe(0);
  expect((await two.harness('run', '--task', '2')).code).toBe(0);
  expect(getLandings(remote).sort()).toEqual(['1', '2']);
}, 120_000);

it('a host with records of its own stops as soon as others land, lands nothing twice, and a lost database begins anew', async () => {
  const remote = makeRemote({ ...FILES, 'agent.sh': `sleep 4\n${AGENT}` });
  const [one, two] = [
    new Host('one', remote, await server.createDatabase('apart_one')),
    new Host('two', remote, await server.createDatabase('apart_two')),
  ];
  const runs = await Promise.all([one, two].map(host => host.harness('run', '--all')));
  expect(runs.map(({ code }) => code).sort(), runs.map(run => run.stdout + run.stderr).join('\n')).toEqual([
    0, 2,
  ]);
  const stopped = runs.findIndex(({ code }) => code === 2);
  expect(runs[stopped]?.stderr).toMatch(
    /landed just now, and these records know nothing of it[\s\S]*HARNESS_STORE_URL/,
  );
  const again = await [one, two][stopped]?.harness('run', '--all');
  expect([again?.code, `${again?.stdout}${again?.stderr}`]).toEqual([
    0,
    expect.stringContaining('landed, and not by these records: taken as done'),
  ]);
  const fresh = new Host('fresh', remote, await server.createDatabase('apart_fresh'));
  expect(await fresh.json('run', '--all')).toMatchObject({ attempts: [], stopped: 'all-done' });
  expect(getLandings(remote).sort()).toEqual(['1', '2']);
  const alone = new Host('alone', remote, '');
  expect((await alone.harness('run', '--all')).stderr).toContain('the records are in this clone alone');
}, 180_000);

it('what waits for a person on one host can be looked at on another, by the very commands of its inbox', async () => {
  const look = { verification_type: 'hybrid', manual_checks: ['it looks right'] };
  const remote = makeRemote({
    ...FILES,
    'features.json': getBacklog([
      { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', ...look },
    ]),
  });
  const url = await server.createDatabase('looked_at');
  const [left, right] = [new Host('left', remote, url), new Host('right', remote, url)];
  await left.harness('run', '--all');
  const { stdout } = await right.harness('inbox');
  const [, from = '', to = ''] = /git diff ([0-9a-f]+) ([0-9a-f]+)/.exec(stdout) ?? [];
  expect(git(right.clone, 'diff', '--name-only', from, to)).toContain('src/1.txt');
  commit(left.clone, { 'agent.sh': `${AGENT}true\n` });
  git(left.clone, 'push', '-q', 'origin', 'main');
  const doctor = await right.json<{ checks: { name: string }[] }>('doctor');
  expect(doctor.checks.find(({ name }) => name === 'agent')).toMatchObject({
    detail: expect.stringContaining('agent.sh of "sh agent.sh" is older here than on origin/main'),
    fix: 'git pull origin main',
  });
}, 60_000);
