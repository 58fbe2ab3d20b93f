import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, runCli, runJson } from '../support/cli.ts';
import { killRuns, startRun } from '../support/start-run.ts';

afterEach(killRuns);

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setTimeout(resolve, 50));
}

const getLanded = async (dir: string) =>
  (await runJson<{ counts: { landed: number } }>(dir, ['status'])).counts.landed;

describe('a run under way', () => {
  it('waits after its operation when it is paused, and goes on when it is resumed', async () => {
    const { dir, go, ended } = await startRun();
    expect(await runJson(dir, ['pause', '--by', 'Ada'])).toMatchObject({ control: 'paused', recorded: true });
    expect(await runJson(dir, ['pause'])).toMatchObject({ recorded: false });
    go();
    await until(async () => (await runCli(dir, ['log', '--type', 'session.ended'])).stdout !== '');
    expect((await runCli(dir, ['status'])).stdout).toMatch(
      /Paused: +PAUSE active, by Ada[\s\S]*next: harness resume/,
    );
    expect(await getLanded(dir)).toBe(0);
    expect((await runCli(dir, ['resume'])).stdout).toContain('the active run continues');
    expect(await ended).toMatchObject({ code: 0 });
    expect(await getLanded(dir)).toBe(2);
  });

  it('ends after its attempt when it is stopped, and the next run is free', async () => {
    const { dir, go, ended } = await startRun();
    const said = await runJson<{ runs: number[] }>(dir, ['stop', '--reason', 'enough']);
    expect(said).toMatchObject({ control: 'stopped', recorded: true, runs: [expect.any(Number)] });
    go();
    expect(JSON.parse((await ended).out)).toMatchObject({ stopped: 'asked', attempts: [{ task: '1' }] });
    expect(await getLanded(dir)).toBe(1);
    expect((await runCli(dir, ['stop'])).stdout).toContain('nothing is running');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });

  it('heeds the files that say the same', async () => {
    const { dir, go, ended } = await startRun();
    const signals = join(dir, '.harness', 'signals');
    mkdirSync(signals, { recursive: true });
    writeFileSync(join(signals, 'pause'), '');
    go();
    await until(async () => (await runCli(dir, ['log', '--type', 'session.ended'])).stdout !== '');
    writeFileSync(join(signals, 'stop'), '');
    rmSync(join(signals, 'pause'));
    expect(JSON.parse((await ended).out)).toMatchObject({ stopped: 'asked', attempts: [{ task: '1' }] });
    expect(existsSync(join(signals, 'stop'))).toBe(false);
  });
});

describe('without a run', () => {
  it('a pause keeps the next one from beginning', async () => {
    const dir = makeProject();
    await runCli(dir, ['pause']);
    const run = await runCli(dir, ['run', '--all']);
    expect([run.code, run.stdout]).toEqual([7, expect.stringContaining('next: harness resume')]);
    expect((await runCli(dir, ['resume'])).stdout).toContain('next: harness run --all');
    expect((await runCli(dir, ['run'])).code).toBe(0);
  });

  it('a task is skipped with what builds on it, and comes back', async () => {
    const dir = makeProject();
    expect((await runCli(dir, ['skip', '2'])).code).toBe(2);
    expect(await runJson(dir, ['skip', '2', '--reason', 'no API yet', '--by', 'Ada'])).toMatchObject({
      recorded: true,
      next: 'harness reset 2',
    });
    await runCli(dir, ['run', '--all']);
    expect((await runCli(dir, ['status'])).stdout).toContain('skipped by Ada: no API yet');
    expect(await getLanded(dir)).toBe(1);
    expect((await runCli(dir, ['skip', '1', '--reason', 'x'])).code).toBe(2);
    await runCli(dir, ['reset', '2']);
    await runCli(dir, ['run']);
    expect(await getLanded(dir)).toBe(2);
  });
});
