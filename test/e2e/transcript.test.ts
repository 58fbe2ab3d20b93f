import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { CONFIG, makeProject, runCli } from '../support/cli.ts';
import { SHELL_ENV } from '../support/git-fixture.ts';

const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const KEY_LINE = 'MIIEpAIBAAKCAQEA7bqMIIEpAIBAAKCAQEA7bq';

/** Says secrets in pieces: one over two writes of a line, one over several lines; then works on. */
const AGENT = `#!/bin/sh
echo "[FILE:READ] src/api.ts"
printf 'the token is ${TOKEN.slice(0, 15)}'; sleep 0.4; printf '${TOKEN.slice(15)}\\n'
echo '-----BEGIN RSA PRIVATE KEY-----'; sleep 0.4; echo '${KEY_LINE}'; echo '-----END RSA PRIVATE KEY-----'
echo "now I work"
test "$HARNESS_ATTEMPT" = 1 && sleep 60
mkdir -p src; echo 1 > src/1.txt
`;

describe('the transcript of a session that is killed with -9', () => {
  it('is there up to then, without a secret, and is closed by the next run', async () => {
    const agent = 'agent: { provider: command, command: "sh ./agent.sh" }\n';
    const root = makeProject({ '.harness.yaml': CONFIG.replace(/agent:.*\n/, agent), 'agent.sh': AGENT });
    const path = 'sessions/session-1-task-1-attempt-1.jsonl';
    const read = (name: string) => {
      const file = join(root, '.harness', name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const running = spawn(process.execPath, [inject('harnessProgram'), 'run', '--task', '1'], {
      cwd: root,
      env: { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(root), 'cache') },
      stdio: 'ignore',
    });
    while (!read(path).includes('now I work') && running.exitCode === null) await sleep(20);
    running.kill('SIGKILL');
    await new Promise(resolve => running.once('close', resolve));
    const left = read(path);
    expect(left.split('\n').map(line => (line ? (JSON.parse(line) as { type: string }).type : ''))).toEqual(
      expect.arrayContaining(['prompt', 'file', 'text']),
    );
    expect(read('logs/agent_actions.jsonl')).toContain('"file_read"');

    const { code, stderr } = await runCli(root, ['run', '--task', '1']);
    expect(code, stderr).toBe(0);
    const { stdout } = await runCli(root, ['log', '--type', 'session.ended', '--json']);
    const [killed, finished] = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { outcome: string; transcript: { path: string; sha256: string } });
    expect(killed).toMatchObject({ outcome: 'interrupted', transcript: { path } });
    expect(killed?.transcript.sha256).toBe(createHash('sha256').update(read(path)).digest('hex'));
    expect(read(path)).toBe(left);
    for (const text of [left, read(finished?.transcript.path ?? ''), read('logs/agent_actions.jsonl')]) {
      expect(text).not.toContain(TOKEN.slice(4));
      expect(text).not.toContain(TOKEN.slice(15));
      expect(text).not.toContain(KEY_LINE);
    }
    expect(left).toContain('the token is [redacted]');
  });
});
