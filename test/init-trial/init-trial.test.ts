import { expect, inject, test } from 'vitest';
import { makeTempDir } from '../support/git-fixture.ts';
import { NODE_SAMPLES } from './node-samples.ts';
import { OTHER_SAMPLES } from './other-samples.ts';
import { playSample } from './play-sample.ts';
import type { Sample } from './sample.ts';

const find = (name: string) => [...NODE_SAMPLES, ...OTHER_SAMPLES].find(one => one.name === name) as Sample;
const play = (sample: Sample) =>
  playSample(sample, {
    ...{ root: makeTempDir(), program: inject('harnessProgram'), env: process.env },
    signal: new AbortController().signal,
  });

test('every project has a name of its own', () => {
  const names = [...NODE_SAMPLES, ...OTHER_SAMPLES].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('a project whose task lands with what init wrote counts', async () => {
  expect(await play(find('node-pretest'))).toMatchObject({ ok: true, end: 'landed', reason: '' });
}, 120_000);

test('one without a green base does not, nor one whose work is not done', async () => {
  const script = find('script');
  const [red, idle] = await Promise.all([
    play({ ...script, files: { ...script.files, 'test/next.sh': 'exit 1\n' } }),
    play({ ...script, name: 'idle', work: { 'bin/other.sh': 'true\n' } }),
  ]);
  expect(red).toMatchObject({ ok: false, end: 'no-green-base' });
  expect(idle).toMatchObject({ ok: false, end: 'refused' });
}, 120_000);
