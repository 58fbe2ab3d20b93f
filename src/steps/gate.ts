import { HarnessError } from '../core/base/failure.ts';
import type { EventOf } from '../core/events/event.ts';
import type { GateAnswer, GateName } from '../core/model/facts.ts';
import { GATE } from '../core/state/gates.ts';
import type { Gates } from '../ports/index.ts';
import type { StepContext, StepResult } from './step.ts';

/**
 * A gate is asked: is it what was asked for, can it be released. What can be released pauses the project, so that it
 * stays what it is until somebody has taken it.
 */
export async function gate(
  ctx: StepContext,
  { gate: name }: { readonly gate: GateName },
): Promise<StepResult> {
  const { answer, notes } = await ask(ctx, name);
  ctx.signal.throwIfAborted();
  const judged: EventOf<'gate.judged'> = { type: 'gate.judged', ...answer };
  if (name === 'fidelity' || !answer.passed) return { events: [...notes, judged] };
  const paused = { type: 'control.changed', mode: 'paused', by: GATE, reason: answer.summary } as const;
  return { events: [judged, paused] };
}

/** The pause that came with it is over, too. */
export async function withdrawRelease(
  { ports, state }: StepContext,
  { commit }: { readonly commit: string },
): Promise<StepResult> {
  await getGates(ports.gates).withdraw();
  const { mode, by } = state.people.control;
  const goesOn = { type: 'control.changed', mode: 'running', by: GATE, reason: 'the tip has moved' } as const;
  return {
    events: [
      { type: 'release.withdrawn', commit, why: 'the tip has moved' },
      ...(mode === 'paused' && by === GATE ? [goesOn] : []),
    ],
  };
}

/** A file that cannot be read is no pass, and no reason to end a run that has other work. */
async function ask(
  { ports, signal }: StepContext,
  name: GateName,
): Promise<{ readonly answer: GateAnswer; readonly notes: readonly EventOf<'note.added'>[] }> {
  try {
    return { answer: await getGates(ports.gates).judge(name, signal), notes: [] };
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code !== 'config') throw error;
    const { commit, tree } = await ports.workspace.tip();
    const summary = error.message;
    const note = { type: 'note.added', level: 'important', text: `${name}: ${summary}` } as const;
    return {
      answer: { gate: name, commit, tree, passed: false, drift: null, summary, report: null },
      notes: [note],
    };
  }
}

function getGates(gates: Gates | undefined): Gates {
  if (!gates) throw new Error('a gate is due and nobody can be asked');
  return gates;
}
