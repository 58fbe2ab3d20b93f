import { joinSplitSecret, type Redactor } from '../../core/redact.ts';
import type { Heard, Transcript } from '../../ports.ts';

/** Text waits this long for what may belong to it; with more than a few letters of a secret at its end, longer. */
const HOLD_MS = 500;
const FEW_LETTERS = 4;
const MAX_WAITING = 100;

/**
 * The filter in front of a transcript: nothing reaches its buffer, let alone the disk, with a secret in
 * it. A secret that comes in two pieces is put together first, so that neither half is written.
 */
export function redactTranscript(transcript: Transcript, redact: Redactor): Transcript {
  let held: { atMs: number; text: string } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const waiting: Heard[] = [];

  const release = (): void => {
    clearTimeout(timer);
    if (held) transcript.add({ atMs: held.atMs, event: { type: 'text', text: redact(held.text) } });
    held = null;
    for (const heard of waiting.splice(0)) transcript.add(heard);
  };
  const hold = (atMs: number, text: string): void => {
    const joined = held && joinSplitSecret(held.text, text, redact);
    if (held && joined !== null) held.text = joined;
    else {
      release();
      held = { atMs, text };
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (held && held.text.length - redact.getOpenAt(held.text) <= FEW_LETTERS) release();
    }, HOLD_MS).unref();
  };

  return {
    add(heard) {
      const { atMs, event } = heard;
      if (event.type === 'text') hold(atMs, event.text);
      else if (held && event.type === 'usage' && waiting.length < MAX_WAITING) waiting.push(heard);
      else {
        release();
        transcript.add({ atMs, event: redactStrings(event, redact) });
      }
    },
    close() {
      release();
      return transcript.close();
    },
  };
}

function redactStrings<T extends object>(event: T, redact: Redactor): T {
  const entries = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'type' ? redact(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
