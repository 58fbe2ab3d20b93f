import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommandAgent } from '../../src/adapters/agents/command/command.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { getWrapperScript } from '../../src/adapters/sandbox/sandbox.ts';
import type { AgentEvent } from '../../src/ports/index.ts';
import { hasBwrap, LOOT, openStage, type Stage } from './stage.ts';

describe.skipIf(!hasBwrap)('an honest agent in the sandbox', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(`sandbox: { writable: [~/.cache/shared], readable: [~/.aws] }\n`);
    mkdirSync(join(stage.home, '.cache/shared'), { recursive: true });
  });
  afterAll(() => stage.close());

  it('uses git as usual', async () => {
    const script = `set -e
      git status --short; git log --oneline | wc -l
      echo "export const two = 2;" > two.js; git add two.js; git commit -q -m "Add two"
      git checkout -q -b side; git stash list; git diff HEAD~1 --stat | tail -1; git log --oneline | wc -l`;
    const result = await stage.attack(script);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toBe('1\n 1 file changed, 1 insertion(+)\n2\n');
    const { HOME, PATH } = process.env;
    const log = execFileSync('git', ['log', '--format=%s', '-1'], { cwd: stage.tree, env: { HOME, PATH } });
    expect(log.toString()).toBe('Add two\n');
  });

  it('runs tests', async () => {
    const result = await stage.attack('node --test 2>&1');
    expect(result.stdout).toMatch(/pass 1\b/);
    expect(result.exitCode).toBe(0);
  });

  it('hands output, input and exit codes through', async () => {
    const result = await stage.attack('echo out; echo err >&2; exit 42');
    expect(result).toMatchObject({ exitCode: 42, stdout: 'out\n', stderr: 'err\n', end: 'exited' });
    expect(await stage.attack('kill -SEGV $$')).toMatchObject({ exitCode: 139 });
    expect(await stage.attack('not-a-program')).toMatchObject({ exitCode: 127 });
  });

  it('has temporary files, shared memory, devices and a home that takes new files', async () => {
    const script = `set -e
      f=$(mktemp); echo a > "$f"; mkdir -p /var/tmp/x /dev/shm/x; echo b > ~/.some-tool-state; mkdir -p ~/.npm/_logs
      head -c 4 /dev/urandom | wc -c; echo x > /dev/null; test -t 0 || echo no tty; cat ~/.some-tool-state; pwd`;
    expect((await stage.attack(script)).stdout).toBe(`4\nno tty\nb\n${stage.tree}\n`);
  });

  it('starts each time with nothing that the last one left', async () => {
    await stage.attack('echo x > /tmp/left; echo x > ~/.left');
    expect((await stage.attack('ls -A /tmp; cat ~/.left 2>/dev/null; echo end')).stdout).not.toContain(
      'left',
    );
  });

  it('reads what is no secret: the checkout, the tools, plain settings', async () => {
    const result = await stage.attack(
      'cat "$CHECKOUT/draft.txt" ~/notes.txt ~/.config/tool/settings ~/.bashrc',
    );
    expect(result.stdout).toBe('not committed\nmine\nharmless\nalias ll="ls -l"\n');
    expect((await stage.attack('echo $npm_config_registry')).stdout).toBe('https://registry.example/\n');
  });

  it('keeps its own login, and can renew it', async () => {
    const script =
      'cat ~/.claude/.credentials.json; echo renewed > ~/.claude/.credentials.json; echo x > ~/.claude/new';
    expect((await stage.attack(script)).stdout).toBe('{"login":"agent"}');
    expect(readFileSync(join(stage.home, '.claude/.credentials.json'), 'utf8')).toBe('renewed\n');
    expect(existsSync(join(stage.home, '.claude/new'))).toBe(false);
  });

  it('gets what the configuration gives it', async () => {
    const { stdout } = await stage.attack('echo shared > ~/.cache/shared/x; cat ~/.aws/key');
    expect(stdout).toContain(LOOT);
    expect(readFileSync(join(stage.home, '.cache/shared/x'), 'utf8')).toBe('shared\n');
  });

  it('can be any program: the prompt, the task and the answer go through', async () => {
    const agent = createCommandAgent({
      owner: { workerId: 'w-stage', random: createRandom(), sandbox: stage.sandbox },
      command: 'cat; cat "$HARNESS_PROMPT_FILE"; grep -c \'"id"\' "$HARNESS_TASK_FILE"; echo made > made.txt',
    });
    const heard: AgentEvent[] = [];
    const task = { id: '1', title: 'One', dependsOn: [], verificationSteps: [] };
    const result = await agent.run(
      {
        ...{ attempt: 1, session: 1, prompt: 'do it', cwd: stage.tree, timeoutMs: 20_000 },
        task: task as never,
        signal: new AbortController().signal,
      },
      event => heard.push(event),
    );
    expect(result.outcome).toBe('claimed');
    expect(heard.map(event => (event.type === 'text' ? event.text : ''))).toEqual(['do itdo it1']);
    expect(readFileSync(join(stage.tree, 'made.txt'), 'utf8')).toBe('made\n');
  });

  it('can be started by its path, for SDKs that want one', async () => {
    const box = join(stage.root, 'own box');
    mkdirSync(box);
    const env = { PATH: process.env.PATH ?? '' };
    const wrapped = stage.sandbox.wrap({ file: 'echo', args: ["it's"], cwd: stage.tree, env, box });
    const program = join(stage.root, 'agent');
    writeFileSync(program, getWrapperScript(wrapped), { mode: 0o755 });
    expect(execFileSync(program, ['a b', '$HOME'], { env }).toString()).toBe("it's a b $HOME\n");
  });

  it('is not started when the sandbox cannot be set up, and that is no exit code of its own', async () => {
    const broken = { wrap: () => ({ file: 'sh', args: ['-c', 'echo "bwrap: no" >&2; exit 1'], env: {} }) };
    const { spawnContained } = await import('../../src/adapters/process/spawn-contained.ts');
    const owner = { workerId: 'w-stage', random: createRandom(), sandbox: broken };
    const result = await spawnContained(owner, { file: 'true', args: [], cwd: stage.tree, timeoutMs: 5_000 });
    expect(result).toMatchObject({ end: 'not-started', exitCode: null, error: 'bwrap: no' });
  });
});
