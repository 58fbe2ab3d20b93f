import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREDENTIALS } from '../../src/adapters/sandbox/credentials.ts';
import { hasBwrap, LOOT, openStage, readIfThere, type Stage } from './stage.ts';

/** Ways to what an agent must not see; each prints the loot when it gets there. */
const ATTACKS: readonly (readonly [name: string, script: string])[] = [
  ['the records', 'cat "$STATE"/*; grep -r . "$STATE"'],
  ['the records through a link', 'ln -s "$STATE" s; cat s/state.db; rm s'],
  ['the records through its own tree', 'cat ../../../../../../code/shop/.harness/state.db'],
  ["another worker's tree", 'cat "$OWN/slots/1/tree/secret.txt" ../../1/tree/secret.txt'],
  ['the tree that proofs are made in', 'cat "$OWN"/verify/*/tree/secret.txt'],
  ["another run's report", 'cat "$OWN"/reports/*/*'],
  [
    'the token in the settings of the git repository',
    'cat "$CHECKOUT/.git/config"; git --git-dir="$CHECKOUT/.git" config -l',
  ],
  ['secrets beside the checkout', 'cat "$CHECKOUT/.env" "$CHECKOUT"/.env*'],
  ['npm settings with a token', 'cat ~/.npmrc; npm config list -l'],
  ['git settings with a token', 'cat ~/.gitconfig; git config --global -l'],
  ['any secret in the home folder', `grep -rs ${LOOT} ~ --exclude=.claude.json`],
  ['any secret on the stage', `grep -rs ${LOOT} "$STAGE" --exclude=.claude.json`],
  ['any secret in /tmp', `grep -rs ${LOOT} $(ls -d /tmp/harness-stage-* /var/tmp) --exclude=.claude.json`],
  [
    "the harness's environment",
    'cat /proc/*/environ /proc/$HOST_PID/environ /proc/1/environ /proc/$PPID/environ; env',
  ],
  [
    "the disk through the first process's root",
    'cat "/proc/1/root$STATE/state.db" "/proc/1/cwd/../.harness/state.db"',
  ],
  [
    'the disk through its own root',
    'cat "/proc/self/root$STATE/state.db" "/proc/self/root/../../$STATE/state.db"',
  ],
  [
    'the disk as it was before the root changed',
    'ls -R /oldroot /newroot; cd / && cd .. && cat "./$STATE/state.db"',
  ],
  [
    'open files of the harness',
    'for f in /proc/*/fd/*; do timeout 0.2 cat "$f"; done; for n in $(seq 3 40); do timeout 0.2 cat <&$n; done',
  ],
  ['memory of the harness', 'head -c 100 /proc/$HOST_PID/mem /proc/1/mem; cat /proc/kcore | head -c 10'],
];

/** Tries every credential in one go, each under its name. */
const TRY_ALL = CREDENTIALS.map(name => `echo "=== ${name}"; cat ~/'${name}' ~/'${name}'/* 2>&1`).join('\n');

const getAnswers = (output: string) =>
  new Map(
    output
      .split('=== ')
      .map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))] as const),
  );

describe.skipIf(!hasBwrap)('an agent in the sandbox cannot read', () => {
  let stage: Stage;
  let openFile = -1;
  let free = new Map<string, string>();
  let boxed = new Map<string, string>();
  beforeAll(async () => {
    stage = await openStage();
    openFile = openSync(join(stage.home, '.netrc'), 'r');
    free = getAnswers((await stage.attackFreely(TRY_ALL)).stdout);
    boxed = getAnswers((await stage.attack(TRY_ALL)).stdout);
  });
  afterAll(() => {
    closeSync(openFile);
    stage.close();
  });

  it.each(ATTACKS)('%s', async (_, script) => {
    const result = await stage.attack(`{ ${script}; } 2>&1; echo it ran`);
    expect(result.stdout).toContain('it ran');
    expect(result.stdout).not.toContain(LOOT);
  });

  it.each(CREDENTIALS)('~/%s', name => {
    expect(free.get(name)).toContain(LOOT);
    expect(boxed.get(name)).not.toContain(LOOT);
  });

  it.runIf(readIfThere('/etc/shadow') !== null)('password hashes of the machine', async () => {
    const { stdout } = await stage.attack('cat /etc/shadow /etc/gshadow; echo it ran');
    expect(stdout).toBe('it ran\n');
  });

  it('a credential that its owner writes anew while the session runs', async () => {
    const script =
      'echo ready; for i in $(seq 20); do cat ~/.git-credentials ~/.vault-token; sleep 0.05; done';
    const running = stage.attack(script);
    const fresh = join(stage.home, 'fresh');
    for (const name of ['.git-credentials', '.vault-token']) {
      writeFileSync(fresh, `${LOOT} written anew`);
      renameSync(fresh, join(stage.home, name));
      await new Promise(resolve => setTimeout(resolve, 200));
    }
    expect((await running).stdout).toBe('ready\n');
  });

  it("other agents' logins, when the agent is a known one", async () => {
    const other = await openStage('agent: { provider: codex }\n', 'codex');
    try {
      const { stdout } = await other.attack(
        'cat ~/.codex/auth.json; cat ~/.claude/.credentials.json ~/.claude.json',
      );
      expect(stdout).toBe('{"login":"agent"}');
    } finally {
      other.close();
    }
  });
});

describe.skipIf(!hasBwrap)('the same scripts without a sandbox', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  /** These need a sandbox around them to be tried at all, or rights that we may not have ourselves. */
  const others = ['memory of', 'open files', 'before the root', 'first process', 'environment'];
  it.each(ATTACKS.filter(([name]) => !others.some(part => name.includes(part))))(
    'do read %s',
    async (_, script) => {
      const { stdout } = await stage.attackFreely(`{ ${script}; } 2>&1`);
      expect(stdout).toContain(LOOT);
    },
  );
});
