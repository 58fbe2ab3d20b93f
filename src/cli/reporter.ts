import type { StoredEvent } from '../core/event.ts';
import type { AgentEvent, Reporter } from '../ports.ts';
import { getEventLine } from './event-line.ts';
import type { Io } from './io.ts';

export interface CliReporter extends Reporter {
  /** Takes the progress line away; safe to call twice. */
  close(): void;
}

/** Tells the person what happens: one line per fact, and on a terminal a line that moves. A program gets every fact. */
export function createReporter(io: Io, json: boolean): CliReporter {
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) process.stderr.write('\r\u001b[2K');
    isDrawn = false;
  };
  const draw = (text: string): void => {
    if (!io.isTty || json) return;
    const width = process.stderr.columns ?? 80;
    clear();
    process.stderr.write(`${text.replace(/\s+/g, ' ')}`.slice(0, width - 1));
    isDrawn = true;
  };
  return {
    event(stored: StoredEvent) {
      if (json) return io.err(JSON.stringify({ seq: stored.seq, atMs: stored.atMs, ...stored.event }));
      const line = getEventLine(stored);
      if (line === null) return;
      clear();
      io.err(line);
    },
    agent(task: string, event: AgentEvent) {
      draw(`  task ${task}: ${getAgentText(event)}`);
    },
    phase(task, text) {
      draw(`  ${task === null ? '' : `task ${task}: `}${text} …`);
    },
    close: clear,
  };
}

function getAgentText(event: AgentEvent): string {
  switch (event.type) {
    case 'text':
    case 'decision':
      return event.text;
    case 'file':
      return `${event.action} ${event.path}`;
    case 'command':
      return `$ ${event.command} → ${event.exitCode}`;
    case 'usage':
      return `$${event.usage.costUsd.toFixed(4)}`;
    case 'error':
      return `${event.kind}: ${event.message}`;
    case 'advice':
      return `! ${event.command}: ${event.message}`;
  }
}
