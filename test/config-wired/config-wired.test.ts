import { expect, inject, it } from 'vitest';
import { Stage } from '../seeds/stage.ts';
import { makeTempDir } from '../support/git-fixture.ts';
import { PROBES } from './probes.ts';
import { runProbe, type Seen } from './run-probes.ts';
import { listSettings } from './settings.ts';

const run = (change: Parameters<typeof runProbe>[0]['change']) =>
  runProbe(
    { run: [['status']], change },
    new Stage(makeTempDir(), inject('harnessProgram')),
    Object.keys(change),
  );

it('every setting of the schema has one probe, and every probe a setting', () => {
  const probed = PROBES.flatMap(({ change }) => Object.keys(change));
  expect([...probed].sort()).toEqual([...listSettings()].sort());
});

it('a setting that changes what is seen is wired, one that does not is not', async () => {
  const [name] = await run({ 'project.name': { from: 'one', to: 'other', tells: /Project: +other/ } });
  expect(name).toMatchObject({ outcome: 'wired', reason: '' });
  const [idle] = await run({ 'checkpoints.per_task': { to: 4, tells: /4 checkpoints/ } });
  expect(idle).toMatchObject({ outcome: 'nothing', reason: expect.stringContaining('tells nothing apart') });
});

it('a setting that is refused counts as such', async () => {
  const [refused] = await run({
    'verification.harness_verify': { to: false, tells: /harness_verify cannot be/ },
  });
  expect(refused?.outcome).toBe('refused');
});

it('what two probes begin with is run once', async () => {
  const stage = new Stage(makeTempDir(), inject('harnessProgram'));
  const seen: Seen = [];
  for (const max_attempts of [7, 8]) {
    const change = {
      'attempts.max_attempts': { to: max_attempts, tells: new RegExp(`/${max_attempts}\\)`) },
    };
    const [found] = await runProbe({ run: [['status']], change }, stage, Object.keys(change), seen);
    expect(found?.outcome).toBe('wired');
  }
  expect(seen).toHaveLength(3);
});
