import { afterAll, beforeAll, expect, it } from 'vitest';
import { getBacklog } from '../support/cli.ts';
import { Host, makeRemote } from '../support/fleet.ts';
import { git } from '../support/git-fixture.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const IDS = [1, 2, 3, 4];
/** Two at a time on one host would be done before the other one has begun. */
const AGENT = `task=$(grep -o 'thing-[0-9]' | head -1 | cut -d- -f2)
sleep 3
mkdir -p src && echo "$task" > "src/$task.txt"
env | grep -o '^[A-Z_]*' | sort > "src/env-$task.txt"
env | grep -q 4711 && echo 'the password' >> "src/env-$task.txt"
true
`;
const CONFIG = `project: { name: together }
testing: { runner: command, full: sh test/all.sh, feature: 'sh {file}' }
agent: { provider: command, command: sh agent.sh }
git: { remote: origin, base_branch: main }
sandbox: { mode: 'off' }
`;

it('two hosts with a clone each land four tasks together, and each audits all of them', async () => {
  const remote = makeRemote({
    '.harness.yaml': CONFIG,
    'agent.sh': AGENT,
    'features.json': getBacklog(
      IDS.map(id => ({ id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh` })),
    ),
    'test/thing-4.sh': 'test -f src/4.txt\n',
    'test/all.sh': 'exit 0\n',
  });
  const hosts = ['left', 'right'].map(name => new Host(name, remote, server.url()));
  const before = hosts.map(({ clone }) => git(clone, 'for-each-ref', 'refs/heads', 'refs/remotes'));
  const runs = await Promise.all(hosts.map(host => host.harness('run', '--all', '--workers', '2')));
  expect(
    runs.map(({ code }) => code),
    runs.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
  ).toEqual([0, 0]);
  const files = git(remote, 'ls-tree', '-r', '--name-only', 'main', 'src/').split('\n');
  expect(files.filter(path => !path.includes('env'))).toEqual(IDS.map(id => `src/${id}.txt`));
  const landings = git(remote, 'log', '--format=%(trailers:key=Harness-Task,valueonly)', 'main').match(
    /\d+/g,
  );
  expect(landings?.sort()).toEqual(['1', '2', '3', '4']);
  const workedOn = await server.query<{ host: string }>(
    server.url(),
    "SELECT DISTINCT body::json->'worker'->>'host' AS host FROM harness.events WHERE type = 'worker.started'",
  );
  expect(workedOn.map(({ host }) => host).sort()).toEqual(['h-left', 'h-right']);
  for (const [at, host] of hosts.entries()) {
    const audit = await host.harness('audit');
    expect([audit.code, audit.stdout + audit.stderr]).toEqual([0, expect.stringContaining('sound')]);
    expect((await host.harness('verify', '4')).code).toBe(0);
    expect(git(host.clone, 'for-each-ref', 'refs/heads', 'refs/remotes')).toBe(before[at]);
    expect(git(host.clone, 'status', '--porcelain')).toBe('');
    git(host.clone, 'pull', '-q', '--ff-only');
    expect(git(host.clone, 'rev-parse', 'HEAD')).toBe(git(remote, 'rev-parse', 'main'));
  }
  for (const id of IDS) {
    const seen = git(remote, 'show', `main:src/env-${id}.txt`);
    expect(seen).toContain('HARNESS_SLOT');
    for (const secret of ['the password', 'HARNESS_STORE_URL', 'SSH_AUTH_SOCK', 'GIT_ASKPASS', 'GIT_CONFIG_'])
      expect(seen).not.toContain(secret);
  }
}, 240_000);
