import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** Makes state directories, each in a folder of its own, that are gone after the test. */
export function useStateDirs(): () => string {
  const made: string[] = [];
  afterEach(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
  return () => {
    const dir = mkdtempSync(join(tmpdir(), 'harness-test-'));
    made.push(dir);
    const stateDir = join(dir, '.harness');
    mkdirSync(stateDir);
    return stateDir;
  };
}
