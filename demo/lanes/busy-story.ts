import type { Style } from '../../src/cli/terminal/style.ts';
import type { RunListener } from '../play-run.ts';
import type { ToldEvent } from '../run-harness.ts';
import { HALF_DONE_FILE } from '../shop-files.ts';
import { getRejection } from '../story.ts';
import { getCollision } from './busy-count.ts';

/** Tells the night of several agents as it happens: each line says in which lane, and of which task. */
export function createBusyStory(say: (text: string) => void, style: Style): Omit<RunListener, 'onRestart'> {
  const titles = new Map<string, string>();
  const lanes = new Map<string, number>();
  const batches = new Map<number, readonly string[]>();
  return {
    onEvent(event) {
      if (event.type === 'backlog.synced') for (const { id, title } of event.upserted) titles.set(id, title);
      if (event.type === 'batch.started')
        batches.set(
          event.batch,
          event.members.map(({ task }) => task),
        );
      const task = 'task' in event && typeof event.task === 'string' ? event.task : null;
      if (task !== null && event.lane !== undefined) lanes.set(task, event.lane);
      const queue = getQueueLine(event, batches, style);
      if (event.type === 'batch.ended') batches.delete(event.batch);
      if (queue !== null) return say(getLine('', 'queue', queue));
      // What lands together is told once, when all of it has.
      const isInBatch = [...batches.values()].some(members => members.includes(task ?? ''));
      if (task === null || (event.type === 'task.landed' && isInBatch)) return;
      const [who, lane] = [task, lanes.get(task)];
      for (const line of getLines(event, titles.get(task) ?? '', style))
        say(line.by === null ? line.text : getLine(getLane(lane, who), line.by, line.text));
    },
    onKilled(pid, strays) {
      const left = strays === 0 ? '' : ` What the agents had started runs on (${strays} processes).`;
      say(
        `\n  ${style.warn(`⚡ kill -9 ${pid}`)}   The harness is dead, and all its lanes. ${HALF_DONE_FILE} is half`,
      );
      say(`     written.${left}`);
    },
  };
}

/** Of no task alone: what the merge queue does with those that are proven. */
function getQueueLine(
  event: ToldEvent,
  batches: ReadonlyMap<number, readonly string[]>,
  style: Style,
): string | null {
  switch (event.type) {
    case 'batch.started':
      return event.members.length === 1
        ? `puts ${getNames(event.members.map(({ task }) => task))} onto the branch, and runs the suite`
        : `stacks ${getNames(event.members.map(({ task }) => task))}, and runs the suite once on all of it`;
    case 'batch.taken-over':
      return `what the dead harness was landing is gone on with (${getNames(batches.get(event.batch) ?? [])})`;
    case 'attempt.ended': {
      const kind = getCollision(event);
      if (kind === null) return null;
      const against = /\(task ([^)]*)\)/.exec(event.reason)?.[1] ?? 'what landed';
      const found = style.dim(event.findings[0]?.split(/ passes without| was changed/)[0] ?? '');
      const what = kind === 'text' ? 'does not fit onto' : 'is green alone and red together with';
      return `${style.bad('✘')} ${event.task} ${what} ${against}: ${found}`;
    }
    case 'batch.ended':
      return event.commit === null ? null : `${style.good('✔ green')}, landed as ${event.commit.slice(0, 7)}`;
    default:
      return null;
  }
}

interface Line {
  /** Null for a head. */
  readonly by: 'agent' | 'harness' | null;
  readonly text: string;
}

function getLines(event: ToldEvent, title: string, style: Style): readonly Line[] {
  switch (event.type) {
    case 'attempt.started': {
      const again = event.attempt > 1 ? style.dim(`  try ${event.attempt}`) : '';
      const lane = event.lane === undefined ? '   ' : `[${event.lane}]`;
      return [{ by: null, text: `  ${lane} ${style.bold(`${event.task}  ${title}`)}${again}` }];
    }
    case 'attempt.taken-over':
      return [{ by: 'harness', text: 'finds it as the dead one left it, and goes on' }];
    case 'session.ended':
      if (event.outcome === 'interrupted')
        return [{ by: 'harness', text: 'keeps the half-done work for the next try' }];
      return [{ by: 'agent', text: event.outcome === 'claimed' ? `“${event.summary}”` : event.outcome }];
    case 'verdict.given':
      if (event.verdict.word === 'proven') return [];
      return getRejection(event.verdict, style).map(text => ({ by: 'harness', text }));
    case 'candidate.queued':
      return [{ by: 'harness', text: `${style.good('✔ proven')}, waits in the merge queue` }];
    case 'task.landed':
      return [{ by: 'harness', text: `${style.good('✔ proven')}, landed as ${event.commit.slice(0, 7)}` }];
    case 'attempt.sent-back':
      return [{ by: 'harness', text: 'sends it back with what was found' }];
    default:
      return [];
  }
}

function getLane(lane: number | undefined, task: string): string {
  return `${lane === undefined ? '   ' : `[${lane}]`} ${task}`;
}

function getLine(lane: string, by: string, text: string): string {
  return `  ${lane.padEnd(6)} ${by.padEnd(8)} ${text}`;
}

function getNames(tasks: readonly string[]): string {
  return tasks.length < 2 ? tasks.join('') : `${tasks.slice(0, -1).join(', ')} and ${tasks.at(-1)}`;
}
