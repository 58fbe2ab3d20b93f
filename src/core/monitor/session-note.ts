import type { AgentEvent, SessionNote } from '../model/agent-event.ts';
import type { SessionOutcome } from '../model/facts.ts';

/** Where an agent without our tools leaves word; never part of what lands. */
export const SESSION_NOTE_FILE = 'state/handoff.json';

/** The form of a session note, for whoever is asked to write one. */
export const SESSION_NOTE_SCHEMA = {
  type: 'object',
  properties: {
    phase: { type: 'string' },
    completed: { type: 'array', items: { type: 'string' } },
    next_step: { type: 'string' },
    critical_files: { type: 'array', items: { type: 'string' } },
    memory_notes: { type: 'string' },
  },
  required: ['phase', 'completed', 'next_step', 'critical_files', 'memory_notes'],
  additionalProperties: false,
} as const;

/** Whether somebody will go on with what the session left, and has to be told where it stands. */
export function needsSessionNote(outcome: SessionOutcome): boolean {
  return PHASES[outcome] !== undefined;
}

const PHASES: Readonly<Partial<Record<SessionOutcome, string>>> = {
  timeout: 'the time of the session was up',
  context: 'the context of the agent was full',
  budget: 'the money for the session was spent',
  stuck: 'the agent came no further',
  crashed: 'the agent crashed',
  'not-done': 'the agent ended without saying that it is done',
  interrupted: 'the session was stopped from outside',
};

/** Null where nothing was done that anybody could go on with. */
export function getMechanicalNote(digest: Digest, outcome: SessionOutcome): SessionNote | null {
  const { files, commands, texts } = digest;
  if (files.length === 0 && commands.length === 0) return null;
  const last = texts.at(-1);
  return {
    by: 'harness',
    phase: PHASES[outcome] ?? 'the session ended',
    completed: files.length > 0 ? [`wrote ${files.join(', ')}; whether that works is not known`] : [],
    next_step: 'Look at the unfinished files, run the tests, and do what is missing.',
    critical_files: files,
    memory_notes: [
      ...commands.map(({ command, exitCode }) => `\`${command}\` ended with ${exitCode ?? 'no exit code'}.`),
      ...(last === undefined ? [] : [`It last said: ${last}`]),
    ].join(' '),
  };
}

const MAX_LIST = 20;

/** An answer held to the sizes that a session note may have; null when it says nothing. */
export function getSummarisedNote(value: unknown): SessionNote | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Partial<Record<keyof SessionNote, unknown>>;
  const text = (field: keyof SessionNote, max: number) => String(fields[field] ?? '').slice(0, max);
  const list = (field: keyof SessionNote) =>
    (Array.isArray(fields[field]) ? fields[field] : [])
      .slice(0, MAX_LIST)
      .map(one => String(one).slice(0, 300));
  const next_step = text('next_step', 1_000);
  if (next_step === '') return null;
  return {
    by: 'summariser',
    phase: text('phase', 200),
    completed: list('completed'),
    next_step,
    critical_files: list('critical_files'),
    memory_notes: text('memory_notes', 4_000),
  };
}

/** Whether a path that somebody wrote stays within the project. */
export function isProjectPath(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !/[\0\\]/.test(path) &&
    !parts.some(part => ['', '.', '..', '.git', 'node_modules'].includes(part))
  );
}

/** What of a session can be told in a few lines. */
export interface Digest {
  /** Written and not deleted again, newest last. */
  readonly files: readonly string[];
  /** The last ones. */
  readonly commands: readonly {
    readonly command: string;
    readonly exitCode: number | null;
    readonly output: string;
  }[];
  readonly texts: readonly string[];
}

const MAX_FILES = 20;
const MAX_COMMANDS = 8;
const MAX_TEXTS = 20;

/** Listens to a session and keeps of it what somebody who goes on would ask first. */
export function createDigest(root: string): { note(event: AgentEvent): void; get(): Digest } {
  const files = new Set<string>();
  const commands: Digest['commands'][number][] = [];
  const texts: string[] = [];
  return {
    note(event) {
      if (event.type === 'text') keep(texts, event.text.trim().slice(-600), MAX_TEXTS);
      if (event.type === 'command') {
        const { command, exitCode, output } = event;
        keep(
          commands,
          { command: command.slice(0, 200), exitCode, output: output.slice(-600) },
          MAX_COMMANDS,
        );
      }
      if (event.type !== 'file' || event.action === 'read') return;
      const path = event.path.startsWith(`${root}/`) ? event.path.slice(root.length + 1) : event.path;
      files.delete(path);
      if (event.action === 'write') files.add(path);
    },
    get: () => ({
      files: [...files].slice(-MAX_FILES),
      commands: commands.slice(-MAX_COMMANDS),
      texts: texts.filter(text => text !== ''),
    }),
  };
}

function keep<Item>(list: Item[], item: Item, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
