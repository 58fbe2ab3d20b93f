import { expect, it } from 'vitest';
import { createStepBench, type StepBench } from '../../test/support/step-bench.ts';

const look = async ({ perform }: StepBench): Promise<readonly string[]> => {
  const { events } = await perform('check-all');
  return events.flatMap(event => (event.type === 'project.checked' ? event.broken : []));
};

it('what a look found broken stays broken until it passes again, whatever is committed in between', async () => {
  const bench = await createStepBench();
  const commit = (change: Record<string, string>): void =>
    void bench.git.userCommit(files => Object.assign(files, change));
  expect(await look(bench)).toEqual([]);
  commit({ 'src/old': 'bad' });
  const broken = await look(bench);
  expect(broken).toHaveLength(1);
  commit({ 'readme.txt': 'unrelated' });
  expect(await look(bench)).toEqual(broken);
  commit({ 'src/old': 'good' });
  expect(await look(bench)).toEqual([]);
});
