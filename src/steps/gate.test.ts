import { describe, expect, it } from 'vitest';
import { createStepBench } from '../../test/support/step-bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import type { GateAnswer } from '../core/model/facts.ts';
import { GATE } from '../core/state/gates.ts';
import type { Gates } from '../ports/index.ts';

const answer = (gate: GateAnswer['gate'], passed: boolean): GateAnswer => ({
  ...{ gate, commit: 'c', tree: 't', passed, drift: null, summary: 'as it is', report: 'r.md' },
});

async function open(judge: Gates['judge']) {
  const withdrawn: string[] = [];
  const gates: Gates = { judge, withdraw: async () => void withdrawn.push('file') };
  return { bench: await createStepBench({ wrap: ports => ({ ...ports, gates }) }), withdrawn };
}

describe('a gate', () => {
  it.each([
    ['fidelity', true, ['gate.judged']],
    ['fidelity', false, ['gate.judged']],
    ['release', false, ['gate.judged']],
    ['release', true, ['gate.judged', 'control.changed']],
  ] as const)('%s that passed: %s is recorded as %j, twice the same', async (gate, passed, types) => {
    const { bench } = await open(async name => answer(name, passed));
    const first = await bench.ask({ type: 'gate', gate });
    expect(first.events.map(({ type }) => type)).toEqual(types);
    expect(await bench.ask({ type: 'gate', gate })).toEqual(first);
  });

  it('is no pass where its file cannot be read, and no end of the run', async () => {
    const { bench } = await open(async () => {
      throw new HarnessError('config', 'a.md:3 is wrong');
    });
    const { events } = await bench.ask({ type: 'gate', gate: 'release' });
    expect(events).toMatchObject([
      { type: 'note.added', text: 'release: a.md:3 is wrong' },
      { type: 'gate.judged', passed: false, report: null },
    ]);
  });

  it('does not hide what else goes wrong', async () => {
    const { bench } = await open(async () => {
      throw new Error('no disk');
    });
    await expect(bench.ask({ type: 'gate', gate: 'fidelity' })).rejects.toThrow('no disk');
  });

  it('takes a release back with its file and with its pause, and with nobody else’s', async () => {
    const { bench, withdrawn } = await open(async name => answer(name, true));
    await bench.perform({ type: 'gate', gate: 'release' });
    expect(bench.journal.state.people.control).toMatchObject({ mode: 'paused', by: GATE });
    await bench.perform({ type: 'withdraw-release', commit: 'c' });
    expect(withdrawn).toEqual(['file']);
    expect(bench.journal.state).toMatchObject({
      gates: { released: null },
      people: { control: { mode: 'running' } },
    });
    await bench.journal.record([{ type: 'control.changed', mode: 'paused', by: 'Ann', reason: '' }]);
    await bench.perform({ type: 'withdraw-release', commit: 'c' });
    expect(bench.journal.state.people.control).toMatchObject({ mode: 'paused', by: 'Ann' });
  });
});
