import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getAgentScript, SCRIPT_KINDS, type ScriptKind } from './agent-script.ts';

/** What the script starts, seen by a program of that name that tells its arguments. */
function play(kind: ScriptKind, role: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'agent-script-'));
  try {
    for (const name of ['claude', 'codex', 'aider'])
      writeFileSync(join(dir, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    const script = join(dir, 'agent.sh');
    writeFileSync(script, getAgentScript(kind));
    chmodSync(script, 0o755);
    const env = { PATH: `${dir}:/usr/bin:/bin`, HARNESS_ROLE: role, HARNESS_PROMPT_FILE: '/prompt.md' };
    return execFileSync('sh', ['-c', `${script} 2>&1 || echo "exit $?"`], { env, encoding: 'utf8' });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('the script of an agent', () => {
  it.each(SCRIPT_KINDS)('of %s edits in one role and only answers in another', kind => {
    const [work, answer] = [play(kind, 'coding'), play(kind, 'review')];
    expect(work).not.toBe(answer);
    expect(play(kind, 'feedback')).toBe(work);
    expect(play(kind, 'summariser').replace('summariser', 'review')).toBe(answer);
  });

  it.each([
    ['claude-code', 'review', 'claude -p --allowedTools Read Glob Grep'],
    ['codex', 'review', 'codex exec --sandbox read-only'],
    ['aider', 'review', '--chat-mode ask'],
    ['plain', 'review', 'nobody answers as review'],
    ['codex', 'coding', 'codex exec --sandbox workspace-write'],
    ['plain', 'coding', 'exit 1'],
  ] as const)('of %s as %s starts %s', (kind, role, says) => expect(play(kind, role)).toContain(says));

  it('says what is not installed, as a program that never began', () => {
    const script = getAgentScript('codex');
    const run = `sh -c '${script.replaceAll("'", "'\\''")}' 2>&1; echo "exit $?"`;
    const env = { PATH: '/nowhere' };
    expect(
      execFileSync('/bin/sh', ['-c', run.replace('sh -c', '/bin/sh -c')], { env, encoding: 'utf8' }),
    ).toMatch(/codex is not installed[\s\S]*exit 127/);
  });
});
