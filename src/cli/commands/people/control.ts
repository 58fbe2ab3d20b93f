import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPersonName, recordWord } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { readLiving } from '../../../app/project/read-living.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import type { ControlMode, WorkerRef } from '../../../core/model/facts.ts';
import type { State } from '../../../core/state/state.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface ControlOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
}

/** `harness pause`, `resume` and `stop`: a word to every run of the project, heard between two steps. */
export async function control(
  io: Io,
  word: 'pause' | 'resume' | 'stop',
  options: ControlOptions,
): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    const { recorded, state } = await recordWord(store, now =>
      getEvents(now, { mode: MODES[word], by, reason: options.reason?.trim() ?? '' }),
    );
    const alive = await readLiving(state);
    const hasFile = word === 'resume' && existsSync(join(project.stateDir, 'signals', 'pause'));
    tell(io, { word, recorded, alive, hasFile }, options.json ?? false);
  } finally {
    await store.close();
  }
}

const MODES = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;

/** Said again, it is known already; a stop is for those at work, and new ones may have come. */
function getEvents(
  state: State,
  said: { readonly mode: ControlMode; readonly by: string; readonly reason: string },
): readonly HarnessEvent[] {
  const { mode, workers } = state.people.control;
  const isHeardByAll = [...state.workers.keys()].every(id => workers.has(id));
  if (said.mode === 'stopped' && state.workers.size === 0) return [];
  if (mode === said.mode && (mode === 'running' || isHeardByAll)) return [];
  return [{ type: 'control.changed', ...said }];
}

interface Outcome {
  readonly word: 'pause' | 'resume' | 'stop';
  readonly recorded: boolean;
  readonly alive: readonly WorkerRef[];
  readonly hasFile: boolean;
}

function tell(io: Io, { word, recorded, alive, hasFile }: Outcome, json: boolean): void {
  const isRunning = alive.length > 0;
  const next = word === 'pause' ? 'harness resume' : isRunning ? 'harness status' : 'harness run --all';
  if (json) {
    io.out(JSON.stringify({ control: MODES[word], recorded, runs: alive.map(({ pid }) => pid), next }));
    return;
  }
  if (hasFile) io.err('note: signals/pause in the state directory still says to wait; remove it to go on');
  io.out(recorded ? SAID[word][isRunning ? 0 : 1] : word === 'stop' ? 'nothing is running' : SAID[word][2]);
  io.out(`next: ${next}`);
}

/** With a run under way, without one, and when it was known already. */
const SAID = {
  pause: [
    'pausing after the current operation',
    'paused: no run begins until it is resumed',
    'paused already',
  ],
  resume: ['the run under way goes on', 'resumed', 'nothing is paused'],
  stop: ['stopping after the current attempt', 'nothing is running', 'stopping already'],
} as const;
