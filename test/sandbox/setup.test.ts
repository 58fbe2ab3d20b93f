import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/git-fixture.ts';
import { hasBwrap, LOOT, openStage, type Stage } from './stage.ts';

describe.skipIf(!hasBwrap)('installing and setting up', () => {
  let stage: Stage;
  let own: string;
  beforeAll(async () => {
    stage = await openStage('sandbox: { setup_readable: [~/.npmrc], services: [~/.docker] }\n');
    own = join(dirname(stage.tree), 'home');
    for (const path of ['.npm/mine', '.cache/mine/file', '.cargo/bin/tool', '.local/share/other/file']) {
      mkdirSync(dirname(join(stage.home, path)), { recursive: true });
      writeFileSync(join(stage.home, path), 'mine');
    }
  });
  afterAll(() => stage.close());
  beforeEach(() => rmSync(own, { recursive: true, force: true }));

  it('an install writes its tree and a home of its own, and nothing of the user’s', async () => {
    const { exitCode } = await stage.runAs(
      'install',
      `cd ~ && mkdir -p .npm/x .cache/x .cargo/registry/x .local/lib/x .new/x && echo bad > .npm/mine &&
       echo bad > .cache/mine; echo bad > .bashrc; echo bad > .cargo/bin/tool; echo bad > $CHECKOUT/bad; echo ok > "$OLDPWD/made"`,
    );
    expect(exitCode).toBe(0);
    const read = (path: string) => readFileSync(join(stage.home, path), 'utf8');
    expect(['.npm/mine', '.cache/mine/file', '.cargo/bin/tool'].map(read)).toEqual(['mine', 'mine', 'mine']);
    expect(read('.bashrc')).not.toContain('bad');
    const made = ['.npm/x', '.cache/x', '.cargo/registry', '.local/lib', '.new', 'code/shop/bad'];
    expect(made.filter(path => existsSync(join(stage.home, path)))).toEqual([]);
    expect(readFileSync(join(stage.tree, 'made'), 'utf8')).toBe('ok\n');
  });

  it('what it fetched is seen in that tree, read-only, beside what the user has', async () => {
    await stage.runAs(
      'install',
      'cd ~; mkdir -p .cache/got go/pkg/m .new; echo 1 > .cache/got/f; echo 2 > go/pkg/m/f; echo 3 > .new/f',
    );
    for (const who of ['tests', 'environment', 'agent'] as const) {
      const { stdout } = await stage.runAs(
        who,
        'cd ~; cat .cache/got/f go/pkg/m/f .new/f .cache/mine/file .npm/mine; echo bad > .cache/got/f; echo bad > .new/f',
      );
      expect(stdout).toBe('1\n2\n3\nminemine');
    }
    expect(readFileSync(join(own, '.new/f'), 'utf8')).toBe('3\n');
  });

  it('build caches can be written by every run, and are empty for each', async () => {
    for (const cache of ['.cache/go-build', '.npm/_npx', '.cache/uv']) {
      for (const who of ['tests', 'agent', 'environment'] as const) {
        const { stdout } = await stage.runAs(
          who,
          `cd ~; mkdir -p ${cache}; ls ${cache}; echo 1 > ${cache}/f && echo ok`,
        );
        expect(stdout).toBe('ok\n');
      }
      expect(existsSync(join(stage.home, cache, 'f'))).toBe(false);
    }
    mkdirSync(join(stage.home, '.cache/go-build'), { recursive: true });
    writeFileSync(join(stage.home, '.cache/go-build/theirs'), 'theirs');
    const { stdout } = await stage.runAs(
      'tests',
      'cd ~; ls .cache/go-build 2>/dev/null; cat .cache/mine/file',
    );
    expect(stdout).toBe('mine');
  });

  it('each install begins anew, also where the last one took permissions away or left links', async () => {
    await stage.runAs(
      'install',
      'cd ~; mkdir -p .cache/a/b .npm; touch .cache/a/b/c; chmod -R 555 .cache; ln -s / .npm/root',
    );
    const { stdout } = await stage.runAs('install', 'ls ~/.cache ~/.npm');
    expect(stdout).not.toMatch(/^[ab]$|root/m);
    expect(existsSync(join(stage.home, '.npmrc'))).toBe(true);
  });

  it('a link left there shows nothing of what it points to', async () => {
    mkdirSync(own, { recursive: true });
    symlinkSync(join(stage.home, '.ssh'), join(own, '.new'));
    symlinkSync(join(stage.home, '.ssh'), join(own, '.npm'));
    const { stdout } = await stage.runAs('tests', 'cat ~/.new/* ~/.npm/key 2>/dev/null');
    expect(stdout).not.toContain(LOOT);
  });

  it('credentials are hidden from both but for those that their settings name, each its own', async () => {
    const look = 'cat ~/.npmrc ~/.docker/* ~/.ssh/* ~/.aws/* 2>/dev/null';
    const [install, environment, tests] = await Promise.all(
      (['install', 'environment', 'tests'] as const).map(async who => (await stage.runAs(who, look)).stdout),
    );
    expect(install).toMatch(/_authToken/);
    expect(install).not.toMatch(/\.(docker|ssh|aws)/);
    expect(environment).toContain(`${LOOT} .docker`);
    expect(environment).not.toMatch(/_authToken|\.(ssh|aws)/);
    expect(tests).not.toContain(LOOT);
  });

  it('neither sees the records of the harness or other trees', async () => {
    for (const who of ['install', 'environment'] as const) {
      const { stdout } = await stage.runAs(
        who,
        'cat $STATE/* $OWN/slots/1/tree/secret.txt $OWN/verify/0/tree/secret.txt',
      );
      expect(stdout).toBe('');
    }
  });
});

describe.skipIf(!hasBwrap)('a toolchain outside the home folder', () => {
  const cargo = makeTempDir();
  let stage: Stage;
  beforeAll(async () => {
    mkdirSync(join(cargo, 'registry'));
    for (const name of ['registry/theirs', 'config.toml', 'credentials.toml'])
      writeFileSync(join(cargo, name), name === 'config.toml' ? 'mine\n' : `${LOOT}\n`);
    process.env.CARGO_HOME = cargo;
    stage = await openStage();
  });
  afterAll(() => {
    delete process.env.CARGO_HOME;
    stage.close();
  });

  it('is seen by an install, which fetches into a place of its own', async () => {
    const { stdout } = await stage.runAs(
      'install',
      'cat $CARGO_HOME/config.toml $CARGO_HOME/credentials.toml; ls $CARGO_HOME/registry; mkdir -p $CARGO_HOME/registry && echo got > $CARGO_HOME/registry/got',
    );
    expect(stdout).toBe('mine\n');
    expect(existsSync(join(cargo, 'registry/got'))).toBe(false);
  });

  it('shows tests what was fetched, read-only', async () => {
    await stage.runAs('install', 'mkdir -p $CARGO_HOME/registry && echo got > $CARGO_HOME/registry/got');
    const { stdout } = await stage.runAs(
      'tests',
      'cat $CARGO_HOME/registry/* $CARGO_HOME/config.toml; echo bad > $CARGO_HOME/registry/got; echo bad > $CARGO_HOME/config.toml; cat $CARGO_HOME/registry/got; true',
    );
    expect(stdout).toBe('got\nmine\ngot\n');
  });
});
