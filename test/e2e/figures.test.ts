import { expect, it } from 'vitest';
import { getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { makeRepo } from '../support/git-fixture.ts';
import { getNodeFiles } from '../support/node-project.ts';

interface Figures {
  readonly tests: { readonly passing: number; readonly failing: number; readonly session: number } | null;
  readonly project: string;
  readonly tasks: { readonly landed: number; readonly total: number };
  readonly status: string;
  readonly score: number | null;
}

it('status, health and report show the suite as it is after the last landing, and when that was', async () => {
  const dir = makeRepo(getNodeFiles(), '--template=');
  expect((await runCli(dir, ['run'])).code).toBe(0);
  const after = { passing: 2, failing: 2, session: 1 };
  expect(await runJson(dir, ['status'])).toMatchObject({ baseline: after });
  expect((await runJson<Figures>(dir, ['health'])).tests).toMatchObject(after);
  expect((await runJson<Figures>(dir, ['report'])).tests).toMatchObject(after);
  for (const command of ['status', 'health', 'report'])
    expect((await runCli(dir, [command])).stdout).toMatch(/\(session 1, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/);
});

it('health of a project in which nothing has run says what status says', async () => {
  const dir = makeProject();
  const health = await runJson<Figures>(dir, ['health']);
  expect(health).toMatchObject({ project: 'sample', tasks: { landed: 0, total: 3 }, status: 'POOR' });
  expect((await runJson<{ health: unknown }>(dir, ['status'])).health).toEqual({ score: 0, status: 'POOR' });
});

it('the health of nothing is unknown, not good', async () => {
  const dir = makeProject({ 'features.json': getBacklog([]) });
  expect(await runJson<Figures>(dir, ['health'])).toMatchObject({ status: 'UNKNOWN', score: null });
  expect((await runCli(dir, ['health'])).stdout).toMatch(/^Health: +unknown, nothing has been measured yet/m);
});

it('a project has one name, that of its configuration, wherever it is named', async () => {
  const dir = makeProject({ 'features.json': getBacklog().replace('"sample"', '"elsewhere"') });
  expect((await runJson<Figures>(dir, ['status'])).project).toBe('sample');
  expect((await runJson<Figures>(dir, ['health'])).project).toBe('sample');
  expect((await runJson<Figures>(dir, ['report'])).project).toBe('sample');
  const { prompt } = await runJson<{ prompt: string }>(dir, ['run', '--dry-run']);
  expect(prompt).toContain('**Project:** sample');
  expect(prompt).not.toContain('elsewhere');
});
