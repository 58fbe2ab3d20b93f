import { describe, expect, it } from 'vitest';
import { commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { runUntilKilled } from '../support/killed-run.ts';

const GIVES_UP = 'tasks: { "*": [{ give_up: no }] }\n';

describe('a task that failed for good', () => {
  it('gets its attempts back by reset', async () => {
    const dir = makeProject({ 'agent.yaml': GIVES_UP });
    await runCli(dir, ['run', '--all']);
    expect(await runJson(dir, ['next'])).toMatchObject({ next: null });
    expect((await runCli(dir, ['reset', '2'])).code).toBe(2);
    expect(await runJson(dir, ['reset', '1'])).toEqual({ reset: ['1'] });
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '1' } });
  });

  it('gets more when its limit is raised', async () => {
    const dir = makeProject({ 'agent.yaml': GIVES_UP });
    await runCli(dir, ['run', '--all']);
    commit(dir, { 'features.json': getBacklog(FEATURES.map(feature => ({ ...feature, max_attempts: 5 }))) });
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '1' } });
  });
});

describe('a run after a kill', () => {
  it('goes on with the task that was cut off, before any other, and brings it to an end', async () => {
    const slow =
      'tasks: { "3": { attempts: [[{ edit: { file: src/3.txt, content: "3" } }, { run: "sleep 60" }], [{ claim: done }]] }, "*": [{ give_up: no }] }\n';
    const features = FEATURES.map(({ depends_on: _, ...feature }) => feature);
    const dir = makeProject({ 'agent.yaml': slow, 'features.json': getBacklog(features) });
    await runUntilKilled(dir, '3', 'src/3.txt');
    expect(await runJson(dir, ['status'])).toMatchObject({ active: [{ task: '3', life: 'gone' }] });
    const again = await runCli(dir, ['run']);
    expect([again.code, again.stdout], again.stderr).toEqual([
      0,
      expect.stringContaining('1 landed, 0 rejected'),
    ]);
    expect(again.stderr).toContain('task 3 landed');
  });
});
