import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli } from '../support/cli.ts';
import { write } from '../support/git-fixture.ts';

const IN_ENVIRONMENT = 'env-5f3c9b71d2aa4e0c';
const IN_FILE = 'file-88d1c04be6f74a11';
const IN_TOOL_OUTPUT = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

const AGENT = `#!/bin/sh
echo "the key is $PLANTED_API_KEY"
cat "$SECRET_FILE"
echo "[CMD:RUN] gh auth token"
echo "[CMD:OUTPUT] ${IN_TOOL_OUTPUT}"
echo "[CMD:EXIT] 1"
echo "[DECISION] use $PLANTED_API_KEY and ${IN_TOOL_OUTPUT} for now"
mkdir -p src state
printf '{"phase":"%s","completed":["%s"],"next_step":"%s","memory_notes":"%s"}' "$PLANTED_API_KEY" "$PLANTED_API_KEY" "$PLANTED_API_KEY" "${IN_TOOL_OUTPUT}" > state/handoff.json
echo "$HARNESS_ATTEMPT" > src/1.txt
`;

/** Fails with secrets in its output the first time, so that they could reach findings, proof and the next prompt. */
const TEST = `grep -q 2 src/1.txt && exit 0
echo "assertion with ${IN_TOOL_OUTPUT} and ${IN_ENVIRONMENT} and ${IN_FILE}"
exit 1
`;

describe('a secret', () => {
  it('that is planted in environment, file and tool output is nowhere in what is written down', async () => {
    const agent =
      'agent: { provider: command, command: "sh ./agent.sh", env: [PLANTED_API_KEY, SECRET_FILE] }\n';
    const root = makeProject({
      '.harness.yaml': CONFIG.replace(/agent:.*\n/, agent),
      'agent.sh': AGENT,
      'test/thing-1.sh': TEST,
      '.gitignore': '.env\n',
    });
    write(root, { '.env': `SERVICE_PASSWORD=${IN_FILE}\n` });
    const env = { PLANTED_API_KEY: IN_ENVIRONMENT, SECRET_FILE: join(root, '.env') };
    const first = await runCli(root, ['run', '--task', '1'], env);
    const second = await runCli(root, ['run', '--task', '1'], env);
    expect([first.code, second.code], first.stderr + second.stderr).toEqual([5, 0]);

    const state = join(root, '.harness');
    const found = listFiles(state).flatMap(path => {
      const bytes = readFileSync(path);
      return [IN_ENVIRONMENT, IN_FILE, IN_TOOL_OUTPUT]
        .filter(secret => bytes.includes(secret))
        .map(secret => `${secret} in ${path}`);
    });
    expect(found).toEqual([]);
    expect(readFileSync(join(state, 'logs', 'agent_actions.jsonl'), 'utf8')).toContain('[redacted]');
    expect(first.stderr + second.stderr + second.stdout).not.toContain(IN_ENVIRONMENT);
  });
});

function listFiles(dir: string): string[] {
  return readdirSync(dir).flatMap(name => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}
