import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Shell, ShellRequest } from '../../ports/index.ts';
import { openBuildCache } from './build-cache.ts';
import { createTests } from './run-tests.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'build-cache-'));
});

afterEach(() => rmSync(dir, { recursive: true }));

const REQUEST = { runner: 'go', reportPath: null, idWithoutReport: 'it', timeoutMs: 1_000 } as const;

/** Runs go's commands with a shell that writes into the cache it is given, as a compiler and a test would. */
function open() {
  const asked: ShellRequest[] = [];
  let count = 0;
  const shell: Shell = {
    run: async request => {
      asked.push(request);
      const cache = request.env?.GOCACHE;
      if (cache) {
        mkdirSync(cache, { recursive: true });
        writeFileSync(join(cache, request.command.includes('-exec true') ? 'compiled' : 'forged'), 'bytes');
        if (!request.command.includes('-exec')) writeFileSync(join(cache, 'compiled'), 'other bytes');
      }
      return { exitCode: 0, timedOut: false, output: '', durationMs: 1 };
    },
  };
  const tests = createTests(
    shell,
    () => join(dir, `run-${++count}`, 'report'),
    path => rm(join(path, '..'), { recursive: true, force: true }),
    { cache: openBuildCache(shell, join(dir, 'kept')) },
  );
  return { tests, asked };
}

describe('the compiled code that runs begin with', () => {
  it('is made by compiling, of no run of any test', async () => {
    const { tests, asked } = open();
    await tests.run({ ...REQUEST, dir, command: 'go test ./...', keepsCompiled: true });
    await tests.run({ ...REQUEST, dir, command: 'go test ./...' });
    expect(asked.map(({ command }) => command.includes('-exec true'))).toEqual([true, false, false]);
    expect(readFileSync(join(dir, 'kept/compiled'), 'utf8')).toBe('bytes');
    expect(existsSync(join(dir, 'kept/forged'))).toBe(false);
  });

  it('is lent as a copy that ends with its run', async () => {
    const { tests, asked } = open();
    await tests.run({ ...REQUEST, dir, command: 'go test ./...', keepsCompiled: true });
    const caches = asked.map(({ env }) => env?.GOCACHE);
    expect(caches).toEqual([join(dir, 'kept'), join(dir, 'run-1/go-build')]);
    expect(asked[1]?.writable).toEqual([join(dir, 'run-1')]);
    expect(existsSync(join(dir, 'run-1'))).toBe(false);
  });

  it('is nothing to other runners, nor to a line that runs more than the tests', async () => {
    const { tests, asked } = open();
    await tests.run({ ...REQUEST, runner: 'cargo', dir, command: 'cargo test', keepsCompiled: true });
    await tests.run({ ...REQUEST, dir, command: 'go generate ./... && go test ./...', keepsCompiled: true });
    expect(asked.map(({ command }) => command.includes('-exec'))).toEqual([false, false]);
    expect(existsSync(join(dir, 'kept'))).toBe(false);
  });
});
