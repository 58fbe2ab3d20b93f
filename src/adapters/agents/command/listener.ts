import type { Question } from '../../../core/model/agent-event.ts';
import { addUsage, NO_USAGE } from '../../../core/model/usage.ts';
import {
  closeCommand,
  type OpenCommand,
  type PrefixEvent,
  type PrefixStep,
  parsePrefixLine,
} from '../../../core/monitor/agent-prefixes.ts';
import type { AgentEvent } from '../../../ports/index.ts';

/** Tells events in the order they came, also while something has to be waited for. */
export function createOrder(emit: (event: AgentEvent) => void) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const queue = (work: () => unknown): void => {
    waiting++;
    last = last
      .then(work)
      .catch(() => undefined)
      .finally(() => waiting--);
  };
  return {
    emit: (event: AgentEvent): void => (waiting > 0 ? queue(() => emit(event)) : emit(event)),
    wait: (work: Promise<void>): void => queue(() => work),
    settled: () => last,
  };
}

/** Turns lines into events; a program that floods us is heard up to a limit, its usage always. */
export function createCommandListener(emit: (event: AgentEvent) => void, readPrefixes: boolean) {
  let open: OpenCommand = null;
  let usage = NO_USAGE;
  let question: Question | undefined;
  let lastText = '';
  let lastWords = '';
  let allText = '';
  let receivedChars = 0;
  let unheardLines = 0;
  let hasPrefixes = false;

  function emitAll(events: readonly PrefixEvent[]): void {
    for (const event of events) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage);
      if (event.type === 'text' && event.text.trim() !== '') {
        lastText = event.text.trim();
        if (!REPORT_LINE.test(lastText)) lastWords = lastText;
      }
      if (event.type === 'text' && allText.length <= MAX_RECEIVED_CHARS) allText += `${event.text}\n`;
      if (event.type === 'usage' || receivedChars <= MAX_RECEIVED_CHARS) emit(event);
      else unheardLines++;
    }
  }

  return {
    onLine(line: string): void {
      receivedChars += line.length + 1;
      const step: PrefixStep = readPrefixes
        ? parsePrefixLine(open, line)
        : { open, events: [{ type: 'text' as const, text: line }] };
      hasPrefixes ||= step.open !== open || step.question !== undefined || step.events.some(isMoreThanText);
      open = step.open;
      question = step.question ?? question;
      emitAll(step.events);
    },
    end(): void {
      emitAll(closeCommand(open, null));
      if (unheardLines > 0) emit({ type: 'text', text: `[… ${unheardLines} more lines left out …]` });
    },
    /** Whether anything it said was in the form that it was asked for. */
    hasPrefixes: () => hasPrefixes,
    usage: () => usage,
    question: () => question,
    /** What a program says at its end; lines of a test report only where there is nothing else. */
    lastText: () => lastWords || lastText,
    allText: () => allText,
  };
}

const MAX_RECEIVED_CHARS = 8 * 1024 * 1024;

/** TAP and what Node's reporters put below it: nobody's word for what was done. */
const REPORT_LINE =
  /^(?:TAP version|1\.\.\d|(?:not )?ok \d|[#ℹ] (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms|Subtest)\b)/;

function isMoreThanText({ type }: PrefixEvent): boolean {
  return type !== 'text';
}
