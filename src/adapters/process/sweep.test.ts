import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../../test/support/real-processes.ts';
import { getWorkerPrefix } from './marker.ts';
import { getProcessTable, readProcess } from './proc.ts';
import { findMarked, killMarked } from './sweep.ts';

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process in a session of its own, as a killed harness leaves it. */
async function leave(marker: string | null): Promise<number> {
  const env = marker === null ? {} : { HARNESS_RUN: marker };
  const child = spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore', env });
  children.push(child);
  await new Promise(resolve => child.once('spawn', resolve));
  const pid = child.pid ?? 0;
  // Right after its exec a process shows no environment yet.
  while (marker !== null && getProcessTable().readVariable(pid, 'HARNESS_RUN') === null) await sleep(1);
  return pid;
}

describe('the sweep by marker', () => {
  test('kills every process of that worker, and none of somebody else', async () => {
    const ours = [await leave('w-aaa:1'), await leave('w-aaa:2'), await leave('w-outer:9,w-aaa:3')];
    const others = [await leave('w-aaab:1'), await leave('w-bbb:1'), await leave(null)];
    expect(
      findMarked('w-aaa:')
        .map(info => info.pid)
        .sort(),
    ).toEqual([...ours].sort());
    expect(await killMarked(getWorkerPrefix('w-aaa'))).toEqual({ killed: 3, survivors: 0 });
    expect(ours.map(isRunning)).toEqual([false, false, false]);
    expect(others.map(isRunning)).toEqual([true, true, true]);
  });

  test('finds the runs of a harness inside an agent by the marker of the outer one', async () => {
    const inner = await leave('w-outer:7,w-inner:1');
    expect(findMarked('w-outer:7').map(info => info.pid)).toEqual([inner]);
    await killMarked('w-outer:7');
    expect(isRunning(inner)).toBe(false);
  });

  test('an empty prefix matches nothing', async () => {
    const pid = await leave('w-ccc:1');
    expect(await killMarked('')).toEqual({ killed: 0, survivors: 0 });
    expect(isRunning(pid)).toBe(true);
  });

  test('a group whose number now belongs to a younger leader is left alone', async () => {
    const stranger = await leave(null);
    await killMarked('w-ddd:1', { pid: stranger, startTicks: '1' });
    expect(isRunning(stranger)).toBe(true);
    await killMarked('w-ddd:1', { pid: stranger, startTicks: readProcess(stranger)?.startTicks ?? null });
    expect(isRunning(stranger)).toBe(false);
  });
});
