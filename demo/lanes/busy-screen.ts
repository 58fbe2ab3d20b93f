import { Board } from '../../src/cli/render/lanes/board.ts';
import { getBoardLines } from '../../src/cli/render/lanes/board-lines.ts';
import { createEventWorkers } from '../../src/cli/render/lanes/event-workers.ts';
import { LiveBlock } from '../../src/cli/render/lanes/live-block.ts';
import { getStderr } from '../../src/cli/terminal/screen.ts';
import type { HarnessEvent, StoredEvent } from '../../src/core/events/event.ts';
import { apply, fold } from '../../src/core/events/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import type { ToldEvent } from '../run-harness.ts';

/** The rows of the lanes below the story, drawn as the run itself draws them. */
export interface BusyScreen {
  print(text: string): void;
  note(event: ToldEvent): void;
  /** All lanes are gone at once; what was recorded until then may be more than was told. */
  restart(events: readonly StoredEvent[]): void;
  close(): void;
}

/** On the terminal of stderr, which is also where the story is then written. */
export function openBusyScreen(): BusyScreen {
  const screen = getStderr();
  let state: State | null = fold([]);
  let board = new Board(screen.nowMs);
  let workers = createEventWorkers();
  const block = new LiveBlock(screen, size => {
    const view = board.getView();
    return view ? getBoardLines(view, size) : [];
  });
  return {
    print: text => block.print(text.split('\n')),
    note(event) {
      const by = workers.find(event);
      state = state && follow(state, event);
      board.note(event, by, state ?? undefined);
      const phase = PHASES[event.type];
      if (phase !== undefined && by?.lane !== undefined && 'task' in event)
        board.getLane(by.lane).phase(event.task ?? null, phase);
      block.touch();
    },
    restart(events) {
      state = fold(events);
      board = new Board(screen.nowMs);
      workers = createEventWorkers();
      block.touch();
    },
    close: () => block.close(),
  };
}

/** The step that begins with a fact: a run beside this one tells its facts alone. */
const PHASES: Readonly<Partial<Record<HarnessEvent['type'], string>>> = {
  'attempt.started': 'prepare',
  'attempt.prepared': 'preflight',
  'session.started': 'session',
  'session.ended': 'snapshot',
  'candidate.taken': 'verify',
  'attempt.sent-back': 'session',
};

/** The state with one more event; null once something is missing, and nothing is shown of it then. */
function follow(state: State, event: ToldEvent): State | null {
  try {
    apply(state, { seq: event.seq, stream: '', version: event.seq, atMs: event.atMs, event });
    return state;
  } catch {
    return null;
  }
}
