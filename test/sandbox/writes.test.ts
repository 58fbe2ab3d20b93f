import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeImage } from '../support/git-fixture.ts';
import { hasBwrap, openStage, type Stage } from './stage.ts';

/** What an agent may try to change; each must leave everything but its own tree as it was. */
const ATTACKS: readonly (readonly [name: string, script: string])[] = [
  ['a new file in the home folder', 'echo x > ~/pwned'],
  ['the shell profile', 'echo "evil" >> ~/.bashrc'],
  ['a profile that does not exist yet', 'echo evil > ~/.bash_profile; echo evil > ~/.zshrc'],
  ['the autostart folder', 'mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/x.desktop'],
  ['a settings folder of another program', 'echo evil > ~/.config/tool/settings'],
  ['deleting the home folder', 'rm -rf ~/notes.txt ~/.config ~/code ~/.ssh'],
  ['moving a file of the home folder', 'mv ~/notes.txt ~/gone.txt'],
  ['an authorized key', 'mkdir -p ~/.ssh; echo key >> ~/.ssh/authorized_keys'],
  ["hooks in the agent's own settings", `echo '{"hooks":"evil"}' > ~/.claude/settings.json`],
  ["local settings beside the agent's own", `echo '{"hooks":"evil"}' > ~/.claude/settings.local.json`],
  ['an MCP server for the next agent', `echo '{"mcpServers":"evil"}' > ~/.claude.json`],
  ['a file of the checkout', 'echo evil > "$CHECKOUT/sum.js"; echo evil > "$CHECKOUT/draft.txt"'],
  ['a new file in the checkout', 'echo evil > "$CHECKOUT/evil.js"'],
  ['deleting the checkout', 'rm -rf "$CHECKOUT"'],
  ['the configuration', 'echo "sandbox: { mode: off }" >> "$CHECKOUT/.harness.yaml"'],
  ['the records', 'echo evil > "$STATE/state.db"; rm -rf "$STATE"; mkdir -p "$STATE" && echo x > "$STATE/x"'],
  ["another worker's tree", 'echo evil > "$OWN/slots/1/tree/sum.js"; rm -rf "$OWN/slots/1"'],
  ['the tree that proofs are made in', 'echo evil > "$OWN/verify/0/tree/sum.test.js"; rm -rf "$OWN/verify"'],
  [
    "the harness's git directory",
    'echo evil > "$OWN/slots/0/harness.git/config"; rm -rf "$OWN/slots/0/harness.git"',
  ],
  ["another run's report", 'mkdir -p "$OWN/reports/other" && echo forged > "$OWN/reports/other/report"'],
  ['the folder around its tree', 'echo x > ../x; touch ../../x; mv ../tree ../tree2; rmdir ../tree'],
  ['settings of the git repository', 'git config --file "$CHECKOUT/.git/config" core.hooksPath /tmp/evil'],
  [
    'a hook of the git repository',
    'mkdir -p "$CHECKOUT/.git/hooks"; echo evil > "$CHECKOUT/.git/hooks/pre-commit"',
  ],
  [
    'a new hook of the git repository',
    'mkdir -p "$CHECKOUT/.git/hooks"; echo evil > "$CHECKOUT/.git/hooks/post-commit"',
  ],
  [
    'a branch of the git repository',
    'git --git-dir="$CHECKOUT/.git" update-ref refs/heads/main HEAD~0; git --git-dir="$CHECKOUT/.git" branch evil',
  ],
  [
    'objects that its git borrows',
    'for f in "$CHECKOUT"/.git/objects/??/*; do chmod u+w "$f"; echo evil > "$f"; rm -f "$f"; done',
  ],
  [
    'a new object among the borrowed ones',
    'mkdir -p "$CHECKOUT/.git/objects/ff" && echo x > "$CHECKOUT/.git/objects/ff/x"',
  ],
  ['collecting the borrowed objects', 'git gc -q --prune=now; git repack -a -d -q; git prune --expire=now'],
  [
    'a git directory that points to the real one',
    'rm -rf .git; echo "gitdir: $CHECKOUT/.git" > .git; git config core.hooksPath /tmp/evil; git commit --allow-empty -m evil',
  ],
  [
    'alternates that point elsewhere',
    'echo "$OWN/slots/0/harness.git/objects" > .git/objects/info/alternates; git gc -q',
  ],
  ['writing through a link', 'ln -s "$CHECKOUT" out; echo evil > out/sum.js; rm out'],
  ['writing through a link to the records', 'ln -s "$STATE" state; echo evil > state/state.db; rm state'],
  ['writing through a link to the home folder', 'ln -s "$HOME/.bashrc" rc; echo evil >> rc; rm rc'],
  [
    'writing through a relative link',
    'ln -s ../../.. up; echo evil > up/evil; echo evil > up/slots/1/tree/evil; rm up',
  ],
  [
    'winning a race with a link',
    `mkdir d; for i in $(seq 60); do rm -rf d; ln -s "$CHECKOUT" d; echo evil > d/sum.js; rm -f d; mkdir d; echo ok > d/sum.js; done; rm -rf d`,
  ],
  [
    'a hard link to a file outside',
    'ln "$CHECKOUT/sum.js" hard && echo evil > hard; ln ~/.bashrc hard2 && echo evil > hard2; rm -f hard hard2',
  ],
  [
    'changing owner and mode outside',
    'chmod 777 "$CHECKOUT/sum.js" ~/.bashrc; chown 65534 "$CHECKOUT/sum.js"; touch "$CHECKOUT/sum.js"',
  ],
];

/** Tries that git itself, or the file system, already refuses. */
const HARMLESS = new Set(['collecting the borrowed objects', 'alternates that point elsewhere']);

/** All of the stage but the agent's own tree. */
const takeOutside = (stage: Stage) => takeImage(stage.root, path => join(stage.root, path) === stage.tree);

describe.skipIf(!hasBwrap)('an agent in the sandbox cannot change', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each(ATTACKS)('%s', async (_, script) => {
    const before = takeOutside(stage);
    const result = await stage.attack(`${script}\ntouch it-ran; exit 0`);
    expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(existsSync(join(stage.tree, 'it-ran'))).toBe(true);
    expect(takeOutside(stage)).toEqual(before);
  });

  it.each([
    ['/etc', '/etc/harness-escape'],
    ['/usr/local/bin', '/usr/local/bin/harness-escape'],
    ['/var/tmp', '/var/tmp/harness-escape'],
    ['/tmp', '/tmp/harness-escape'],
    ['/dev/shm', '/dev/shm/harness-escape'],
    ['/opt', '/opt/harness-escape'],
    ['/run', '/run/harness-escape'],
    ['the root of the disk', '/harness-escape'],
    ['the crontabs', '/var/spool/cron/harness-escape'],
  ])('the machine: %s', async (_, path) => {
    await stage.attack(`echo evil > ${path}`);
    expect(existsSync(path)).toBe(false);
  });
});

describe.skipIf(!hasBwrap)('the same scripts without a sandbox', () => {
  let stage: Stage;
  const backup = () => `${stage.root}-backup`;
  beforeAll(async () => {
    stage = await openStage();
    execFileSync('cp', ['-a', stage.root, backup()]);
  });
  afterAll(() => {
    rmSync(backup(), { recursive: true, force: true });
    stage.close();
  });

  it.each(ATTACKS.filter(([name]) => !HARMLESS.has(name)))('do change %s', async (_, script) => {
    rmSync(stage.root, { recursive: true });
    execFileSync('cp', ['-a', backup(), stage.root]);
    const before = takeOutside(stage);
    await stage.attackFreely(script);
    expect(takeOutside(stage)).not.toEqual(before);
  });
});
