import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { createFingerprint, type FingerprintOptions } from './fingerprint.ts';

let asked: string[] = [];
let answer = '';
beforeEach(() => {
  asked = [];
  answer = 'Python 3.11.1';
});

const shell: FingerprintOptions['shell'] = {
  run: async ({ command }) => {
    asked.push(command);
    return { exitCode: 0, timedOut: false, output: answer, durationMs: 1 };
  },
};

/** A PATH with an interpreter of ours in it. */
function makePath(): string {
  const bin = join(makeTempDir(), 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  writeTool(bin, 'python3', 'one');
  return bin;
}

function writeTool(bin: string, name: string, text: string): void {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

function open(PATH: string, change: Partial<FingerprintOptions> = {}) {
  const env = { PATH, LANG: 'C.UTF-8', SECRET: 'x' };
  return createFingerprint({ shell, containment: 'process', env, seen: ['LANG'], ...change });
}

describe('the fingerprint of an environment', () => {
  it('passes over a folder on PATH that cannot be looked into', async () => {
    const loop = join(makeTempDir(), 'loop');
    symlinkSync(loop, loop);
    const path = makePath();
    const ask = () => open(`${loop}:${path}`)('pytest');
    await expect(ask()).resolves.toMatch(/^[0-9a-f]{16}$/);
  });

  it('stays the same while nothing changes, whoever asks', async () => {
    const path = makePath();
    const [first, second] = [open(path), open(path)];
    expect(await first('pytest')).toBe(await second('pytest'));
    expect(await first('pytest')).toMatch(/^[0-9a-f]{16}$/);
  });

  it('asks an interpreter that may be chosen behind its name, once; never our own', async () => {
    const fingerprint = open(makePath());
    for (const runner of ['pytest', 'pytest', 'vitest', 'command'] as const) await fingerprint(runner);
    expect(asked).toEqual(['python3 --version; python --version']);
  });

  it('asks for the version of a Node that is not ours', async () => {
    const bin = makeTempDir();
    writeTool(bin, 'node', '#!/bin/sh');
    await open(bin)('node');
    expect(asked).toEqual(['node --version']);
  });

  it('changes with the version behind the same name', async () => {
    const path = makePath();
    const before = await open(path)('pytest');
    answer = 'Python 3.12.0';
    expect(await open(path)('pytest')).not.toBe(before);
  });

  it('changes at once when a program is replaced', async () => {
    const path = makePath();
    const fingerprint = open(path);
    const before = await fingerprint('command');
    writeTool(path, 'python3', 'another');
    expect(await fingerprint('command')).not.toBe(before);
  });

  it('changes with the sandbox and with what tests can see of our environment, not with the rest', async () => {
    const path = makePath();
    const before = await open(path)('node');
    expect(await open(path, { containment: 'bubblewrap' })('node')).not.toBe(before);
    expect(await open(path, { env: { PATH: path, LANG: 'de_DE' } })('node')).not.toBe(before);
    expect(await open(path, { env: { PATH: path, LANG: 'C.UTF-8', SECRET: 'y' } })('node')).toBe(before);
  });
});
