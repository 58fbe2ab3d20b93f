import type { HarnessEvent } from '../../../core/events/event.ts';
import type { AgentEvent } from '../../../core/model/agent-event.ts';
import { getShown } from '../../terminal/cells.ts';
import { getAgentText } from '../agent-text.ts';

/** What one lane does at a moment. */
export interface LaneRow {
  /** 0 for what all lanes have in common. */
  readonly lane: number;
  readonly task: string | null;
  readonly phase: string;
  /** Of the attempt; null where none is under way. */
  readonly elapsedMs: number | null;
  readonly costUsd: number | null;
  /** The last thing that happened in it. */
  readonly doing: string;
}

/** Keeps what is told of one lane, until the next thing is. */
export class Lane {
  readonly lane: number;
  /** Those that are this lane at the moment: one, but for the moment between two. */
  readonly workers = new Set<string>();
  readonly #nowMs: () => number;
  readonly #commands = new Set<{ readonly text: string }>();
  #task: string | null = null;
  #startedMs: number | null = null;
  #phase = '';
  #endedUsd = 0;
  #openUsd = 0;
  #last = '';

  constructor(lane: number, nowMs: () => number) {
    this.lane = lane;
    this.#nowMs = nowMs;
  }

  phase(task: string | null, text: string): void {
    this.#task = task ?? this.#task;
    // A check that is over says what came of it, and the step goes on.
    if (text.includes(': ')) this.printed(text);
    else {
      this.#phase = text;
      this.#last = '';
    }
  }

  /** The answer ends it. */
  command(line: string): () => void {
    const command = { text: getShort(line) };
    this.#commands.add(command);
    this.#last = '';
    return () => {
      this.#commands.delete(command);
    };
  }

  printed(text: string): void {
    this.#last = getShort(text) || this.#last;
  }

  agent(event: AgentEvent): void {
    // What it costs has a column of its own.
    if (event.type !== 'usage') this.printed(getAgentText(event).trimEnd().split('\n').at(-1) ?? '');
  }

  note(event: HarnessEvent): void {
    switch (event.type) {
      case 'worker.started':
        this.workers.add(event.worker.id);
        return;
      case 'worker.stopped':
        this.workers.delete(event.workerId);
        if (this.workers.size === 0) this.#begin(null);
        return;
      case 'attempt.started':
      case 'attempt.taken-over':
        this.#begin(event.task);
        return;
      case 'session.spent':
        if (event.role === undefined) this.#openUsd += event.usage.costUsd;
        return;
      case 'session.ended':
        this.#endedUsd += event.usage.costUsd;
        this.#openUsd = 0;
        return;
      case 'candidate.queued':
      case 'task.landed':
      case 'attempt.ended':
        // What it has queued may land or come back while it works on another task.
        if (event.task === this.#task) this.#begin(null);
        return;
      default:
    }
  }

  getRow(): LaneRow {
    const [command] = [...this.#commands].slice(-1);
    const doing = [command?.text, this.#last].filter(Boolean).join('  | ');
    const isAtWork = this.#startedMs !== null;
    return {
      ...{ lane: this.lane, task: this.#task, phase: this.#phase, doing },
      elapsedMs: this.#startedMs === null ? null : this.#nowMs() - this.#startedMs,
      costUsd: isAtWork ? this.#endedUsd + this.#openUsd : null,
    };
  }

  /** Whether a command runs in it. */
  isRunning(): boolean {
    return this.#commands.size > 0;
  }

  #begin(task: string | null): void {
    this.#task = task;
    this.#startedMs = task === null ? null : this.#nowMs();
    this.#phase = '';
    this.#endedUsd = 0;
    this.#openUsd = 0;
    this.#last = '';
  }
}

/** More than any screen is wide, however much was printed. */
const MAX_CHARS = 400;

function getShort(text: string): string {
  return getShown(text.slice(0, MAX_CHARS));
}
