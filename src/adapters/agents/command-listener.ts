import {
  closeCommand,
  type OpenCommand,
  type PrefixEvent,
  type PrefixStep,
  parsePrefixLine,
} from '../../core/agent-prefixes.ts';
import { addUsage, NO_USAGE } from '../../core/state.ts';
import type { Question } from '../../core/tool-entry.ts';
import type { AgentEvent } from '../../ports.ts';

/** Turns lines into events; a program that floods us is heard up to a limit, its usage always. */
export function createCommandListener(emit: (event: AgentEvent) => void, readPrefixes: boolean) {
  let open: OpenCommand = null;
  let usage = NO_USAGE;
  let question: Question | undefined;
  let lastText = '';
  let allText = '';
  let heardChars = 0;
  let unheardLines = 0;
  let hasPrefixes = false;

  function tell(events: readonly PrefixEvent[]): void {
    for (const event of events) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage);
      if (event.type === 'text' && event.text.trim() !== '') lastText = event.text.trim();
      if (event.type === 'text' && allText.length <= MAX_HEARD_CHARS) allText += `${event.text}\n`;
      if (event.type === 'usage' || heardChars <= MAX_HEARD_CHARS) emit(event);
      else unheardLines++;
    }
  }

  return {
    onLine(line: string): void {
      heardChars += line.length + 1;
      const step: PrefixStep = readPrefixes
        ? parsePrefixLine(open, line)
        : { open, events: [{ type: 'text' as const, text: line }] };
      hasPrefixes ||= step.open !== open || step.question !== undefined || step.events.some(isMoreThanText);
      open = step.open;
      question = step.question ?? question;
      tell(step.events);
    },
    end(): void {
      tell(closeCommand(open, null));
      if (unheardLines > 0) emit({ type: 'text', text: `[… ${unheardLines} more lines left out …]` });
    },
    /** Whether anything it said was in the form that it was asked for. */
    hasPrefixes: () => hasPrefixes,
    usage: () => usage,
    question: () => question,
    lastText: () => lastText,
    allText: () => allText,
  };
}

const MAX_HEARD_CHARS = 8 * 1024 * 1024;

function isMoreThanText({ type }: PrefixEvent): boolean {
  return type !== 'text';
}
