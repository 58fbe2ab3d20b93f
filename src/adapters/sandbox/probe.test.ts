import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProbe } from './probe.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'probe-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A bubblewrap of our own that does what the script says instead. */
function fake(script: string): string {
  writeFileSync(join(dir, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return dir;
}

const RUN_COMMAND = 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"';

describe.runIf(process.platform === 'linux')('runProbe', () => {
  it.each([
    ['that is not there', '', 'bubblewrap is not installed'],
    ['that fails', 'echo "bwrap: no permissions to create a new namespace" >&2; exit 1', 'no permissions'],
    ['that exits 0 and starts nothing', 'exit 0', 'nothing could be started'],
    ['that contains nothing', RUN_COMMAND, 'a read-only file could be written'],
    [
      'that keeps writes in but hides nothing',
      `for last; do :; done; chmod 555 "$last/seen"; echo inside > "$last/tree/file"; cat "$last/hidden/file"`,
      'a hidden file could be read',
    ],
    [
      'that leaves processes in sight',
      `for last; do :; done; echo inside > "$last/tree/file"; readlink /proc/self/ns/pid`,
      'our processes can be seen',
    ],
    [
      'that leaves the network on',
      `for last; do :; done; echo inside > "$last/tree/file"; echo "pid:[1]"; readlink /proc/self/ns/net`,
      'the network can be reached',
    ],
  ])('does not believe in a bubblewrap %s', async (_, script, reason) => {
    const path = script === '' ? dir : fake(script);
    const probe = await runProbe(path);
    expect(probe).toMatchObject({ level: 'process', bwrap: null });
    expect(probe.reason).toContain(reason);
  });

  it('takes no program from a relative folder of PATH', async () => {
    fake(RUN_COMMAND);
    expect((await runProbe('.:bin:')).reason).toContain('not installed');
  });

  it('leaves nothing behind', async () => {
    vi.stubEnv('TMPDIR', dir);
    await runProbe(fake('exit 0'));
    expect(readdirSync(dir)).toEqual(['bwrap']);
    vi.unstubAllEnvs();
  });
});
