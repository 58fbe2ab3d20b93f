import { isAnythingRecorded, type LoggedEvent, type LogInput, readLog } from '../../../app/look/log.ts';
import type { Checkout } from '../../../app/project/open-checkout.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { getNearest } from '../../../core/base/nearest.ts';
import { EVENT_TYPES, getEventLine, type StoredEvent } from '../../../core/events/event.ts';
import type { EventLevel } from '../../../core/model/facts.ts';
import { defineCommand, type Terminal } from '../../command/define-command.ts';
import { choice, count, optional, repeated, text, yes } from '../../command/flags.ts';
import { listenForSignals } from '../../render/watch.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';
import { createStyle, type Style } from '../../terminal/style.ts';

const LEVELS = ['critical', 'important', 'routine', 'debug'] as const;

export const log = defineCommand({
  name: 'log',
  group: 'looking',
  on: 'checkout',
  summary: 'Show the recorded events, oldest first.',
  args: {
    query: optional('the word query, before the text'),
    text: optional('only events that hold this text'),
  },
  flags: {
    task: text('<id>', 'of this task'),
    session: count('<n>', 'of this session'),
    type: repeated('<type>', 'of this type, or all that begin with it, as attempt'),
    level: choice('<level>', 'at least this important', LEVELS),
    since: text('<time>', 'only from this time on: 2h, 3d, or a date'),
    until: text('<time>', 'only up to this time'),
    limit: count('<n>', 'only the newest ones; default: 100'),
    follow: yes('keep showing new events'),
  },
  examples: ['harness log --task 3 --level important --since 2h', 'harness log query "verdict"'],
  run: showLog,
});

interface LogFlags extends Pick<LogInput, 'task' | 'session' | 'level' | 'limit' | 'text'> {
  readonly query?: string;
  readonly type: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly follow?: boolean;
}

/** A line each as it is read: with `--follow` there is no end to wait for. */
async function showLog(checkout: Checkout, flags: LogFlags, { io, json }: Terminal): Promise<undefined> {
  const input = getInput(flags, json, checkout.config.logging.level);
  if (!isAnythingRecorded(checkout) && !flags.follow) {
    if (!json) io.err('Nothing has been recorded yet.\nnext: harness run');
    return;
  }
  const style = createStyle(io.colourOut);
  const stop = flags.follow ? listenForSignals() : null;
  let shown = 0;
  for await (const entry of readLog(checkout, input, stop?.signal)) {
    io.out(json ? getJsonLine(entry) : getLine(entry, style));
    shown++;
  }
  stop?.dispose();
  if (!stop && shown === 0 && !json)
    io.err(`Nothing recorded matches.\nnext: harness log${flags.level ? '' : ' --level debug'}`);
}

/** People are shown what the project calls worth showing; whoever names a type or is a program gets all. */
function getInput(
  { type, since, until, query, text, follow: _, ...flags }: LogFlags,
  json: boolean,
  worth: EventLevel,
): LogInput {
  const nowMs = Date.now();
  const wanted = getWantedText(query, text);
  return {
    // Whoever looks for something wants all there is of it.
    ...(json || type.length > 0 || wanted !== undefined ? {} : { level: worth }),
    ...flags,
    ...(wanted === undefined ? {} : { text: wanted }),
    types: getEventTypes(type),
    ...(since === undefined ? {} : { sinceMs: getTimeMs(since, nowMs, '--since') }),
    ...(until === undefined ? {} : { untilMs: getTimeMs(until, nowMs, '--until') }),
  };
}

/** `log query "text"`, and `log "text"` as well. */
function getWantedText(query: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined && query !== 'query') return query;
  if (text !== undefined && query === 'query') return text;
  const field = text === undefined ? '<text>' : query;
  throw new HarnessError('usage', text === undefined ? 'log query needs a text' : `log has no ${query}`, {
    ...(field === undefined ? {} : { field }),
    fix: 'harness log query "what it says"',
  });
}

/** The types that a filter means: whole names, or all that begin with a word, as `attempt`. */
function getEventTypes(wanted: readonly string[]): readonly string[] {
  return wanted
    .flatMap(text => text.split(','))
    .flatMap(text => {
      const word = text.trim();
      const found = EVENT_TYPES.filter(type => type === word || type.startsWith(`${word}.`));
      if (found.length > 0) return found;
      const near = getNearest(word, [...EVENT_TYPES, ...EVENT_TYPES.map(type => type.split('.')[0] ?? '')]);
      throw new HarnessError('usage', `--type: there is no event "${word}"`, {
        field: '--type',
        fix: near ? `did you mean ${near}?` : `the types are ${EVENT_TYPES.join(', ')}`,
      });
    });
}

function getJsonLine({ stored: { seq, atMs, event }, level, session }: LoggedEvent): string {
  return JSON.stringify({ seq, at: new Date(atMs).toISOString(), level, session, ...event });
}

function getLine({ stored, level }: LoggedEvent, style: Style): string {
  const { event, atMs } = stored;
  const at = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
  const paint = level === 'critical' ? style.bad : level === 'important' ? style.bold : style.dim;
  const text = getEventLine(stored)?.trimStart() ?? getPlainText(event);
  const indented = text.replace(/\n\s*/g, `\n${' '.repeat(43)}`);
  return `${style.dim(at)}  ${paint(event.type.padEnd(18))}  ${indented}`;
}

/** Facts that are only of use to the harness, in short. */
function getPlainText(event: StoredEvent['event']): string {
  const { type: _, ...rest } = event;
  const parts = Object.entries(rest).map(([key, value]) => `${key}=${getValueText(value)}`);
  const text = parts.join(' ');
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function getValueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return String(value).replace(/^[0-9a-f]{40,64}$/, id => id.slice(0, 10));
}
