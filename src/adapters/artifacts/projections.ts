import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessEvent, StoredEvent } from '../../core/event.ts';
import type { Policy } from '../../core/policy.ts';
import type { State } from '../../core/state.ts';
import { getCosts } from './costs.ts';
import { getFileSizes } from './file-sizes.ts';
import { getHandoffFile } from './handoff.ts';
import { getQuarantine } from './quarantine.ts';
import { getSessionState } from './session-state.ts';
import { getTestBaseline } from './test-baseline.ts';
import { writeAtomic } from './write-atomic.ts';

interface Projection {
  readonly file: string;
  /** The events that can change it; null when any can. */
  readonly types: readonly HarnessEvent['type'][] | null;
  /** Null when there is nothing to tell yet. */
  readonly render: (state: State) => string | null;
}

/** Rewrites those of the state files that the new events can have changed, and only if they did. */
export type WriteProjections = (state: State, events: readonly StoredEvent[]) => void;

export function createProjections(stateDir: string, budget: Policy['budget'] | null): WriteProjections {
  const projections: readonly Projection[] = [
    { file: 'session_state.json', types: null, render: getSessionState },
    { file: 'test_baseline.json', types: ['baseline.measured'], render: getTestBaseline },
    {
      file: 'quarantine.json',
      types: ['test.quarantined', 'baseline.measured'],
      render: getQuarantine,
    },
    {
      file: 'costs.yaml',
      types: ['session.spent', 'session.ended'],
      render: state => getCosts(state, budget),
    },
    { file: 'handoff.json', types: ['session.ended'], render: getHandoffFile },
    { file: 'file_sizes.json', types: ['task.landed'], render: getFileSizes },
  ];
  let lastState: State | null = null;
  return (state, events) => {
    const isFresh = state !== lastState;
    lastState = state;
    for (const { file, types, render } of projections) {
      if (!isFresh && types && !events.some(stored => types.includes(stored.event.type))) continue;
      const text = render(state);
      if (text !== null) writeIfChanged(join(stateDir, file), text);
    }
  };
}

function writeIfChanged(path: string, text: string): void {
  if (readIfThere(path) !== text) writeAtomic(path, text, { durable: false });
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
