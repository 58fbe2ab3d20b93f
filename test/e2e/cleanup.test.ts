import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

interface RunEnd {
  readonly stopped: string;
  readonly attempts: readonly { readonly task: string; readonly outcome: string; readonly reason: string }[];
  readonly audit?: { readonly ok: boolean };
}

const AGENT = `tasks:
${[1, 2, 3].map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: "${id}\\n" } }, { claim: done }]`).join('\n')}
  # By a pattern: a file that the agent's script went on to name would be asked about.
  "cleanup-1": [{ run: "rm src/dea*" }, { claim: tidier }]
  "cleanup-2": [{ edit: { file: test/thing-1.sh, content: "exit 0\\n" } }, { claim: tidier }]
  "cleanup-3": [{ edit: { file: src/long.txt, content: "${'line\\n'.repeat(12)}" } }, { claim: tidier }]
`;

describe('a project that is tidied after every task', () => {
  let dir = '';
  let end: RunEnd;
  beforeAll(async () => {
    const config = `${CONFIG}quality: { cleanup_interval: 1, max_file_lines: 10 }\n`;
    const settled = config.replace('require_evidence: false', 'require_evidence: false, feedback_rounds: 0');
    dir = makeProject({ 'agent.yaml': AGENT, '.harness.yaml': settled, 'src/dead.txt': 'dead\n' });
    end = await runJson<RunEnd>(dir, ['run', '--all']);
  });

  it('lands what is tidied and proven, and drops what touches a test or makes a file too long', () => {
    expect(end.attempts.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      '1 landed',
      'cleanup-1 landed',
      '2 landed',
      'cleanup-2 rejected',
      '3 landed',
      'cleanup-3 rejected',
    ]);
    expect(end.attempts[3]?.reason).toContain('protected');
    expect(end.attempts[5]?.reason).toContain('size');
  });

  it('is done all the same, and its proofs hold', async () => {
    expect(end).toMatchObject({ stopped: 'all-done', audit: { ok: true } });
    expect(git(dir, 'log', '--format=%s%n%b')).toContain('Harness-Task: cleanup-1');
    expect(git(dir, 'show', 'HEAD:features.json')).not.toContain('cleanup');
    expect((await runCli(dir, ['proof', 'cleanup-1'])).stdout).toContain('proven');
    expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
  });
});

describe('a clean-up that is due', () => {
  const makeDue = async (tidying: string): Promise<string> => {
    const config = `${CONFIG}quality: { cleanup_interval: 1 }\n`.replace(
      'false }',
      'false, feedback_rounds: 0 }',
    );
    const script = AGENT.replace('{ run: "rm src/dea*" }, ', tidying);
    const dir = makeProject({ 'agent.yaml': script, '.harness.yaml': config });
    await runCli(dir, ['run']);
    return dir;
  };

  it('is announced by whatever tells what comes next, and is no task', async () => {
    const dir = await makeDue('');
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: 'cleanup-1' } });
    expect(await runJson(dir, ['run', '--dry-run'])).toMatchObject({
      task: 'cleanup-1',
      promptType: 'cleanup',
    });
    expect(readState(dir).next_prompt).toBe('cleanup');
    await runCli(dir, ['run']);
    expect(await runJson(dir, ['status'])).toMatchObject({
      total: 3,
      counts: { landed: 1 },
      next: { id: '2' },
    });
    expect(await runJson(dir, ['health'])).toMatchObject({ tasks: { landed: 1, total: 3 } });
  });

  it('and finds nothing to do is no failure', async () => {
    const dir = await makeDue('');
    const { code, stderr } = await runCli(dir, ['run']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('cleanup-1: there was nothing to tidy')]);
    expect(readState(dir)).toMatchObject({ stuck_count: 0, current_feature: null, next_prompt: 'coding' });
  });

  it('and fails makes nobody stuck', async () => {
    const dir = await makeDue('{ edit: { file: test/thing-1.sh, content: "exit 0\\n" } }, ');
    expect((await runCli(dir, ['run'])).code).toBe(5);
    expect(readState(dir)).toMatchObject({ stuck_count: 0, current_feature: null });
  });
});

function readState(dir: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(dir, '.harness', 'session_state.json'), 'utf8'));
}
