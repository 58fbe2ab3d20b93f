import type { HarnessEvent } from '../core/events/event.ts';
import type { SessionNote } from '../core/model/agent-event.ts';
import type { SessionOutcome } from '../core/model/facts.ts';
import {
  type Digest,
  getMechanicalNote,
  getSummarisedNote,
  isProjectPath,
  needsSessionNote,
  SESSION_NOTE_FILE,
  SESSION_NOTE_SCHEMA,
} from '../core/monitor/session-note.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { SessionContext } from './context.ts';
import { askSummariser } from './summariser.ts';

interface Ended {
  readonly task: TaskState;
  readonly attempt: Attempt;
  /** Through the tool. */
  readonly fromTool: SessionNote | undefined;
  readonly outcome: SessionOutcome;
  readonly digest: Digest;
  /** Recovery waits for no model. */
  readonly asksNobody?: boolean;
}

/** Word for whoever goes on: the agent's own, else a summary of what it did, else a list of it. */
export async function settleSessionNote(
  ctx: SessionContext,
  ended: Ended,
): Promise<{ readonly sessionNote?: SessionNote; readonly events: readonly HarnessEvent[] }> {
  const { attempt, outcome, digest } = ended;
  const file = ended.fromTool ? null : await readNoteFile(ctx, attempt);
  const written = ended.fromTool ?? file?.sessionNote;
  const events = file?.note ? [file.note] : [];
  if (written) return { sessionNote: await keepExisting(ctx, attempt, { ...written, by: 'agent' }), events };
  const own = needsSessionNote(outcome) && !attempt.isAuthor ? getMechanicalNote(digest, outcome) : null;
  if (!own) return { events };
  const { sessionNote, spent } = ended.asksNobody
    ? { sessionNote: own, spent: [] }
    : await summarise(ctx, ended, own);
  return { sessionNote: await keepExisting(ctx, attempt, sessionNote), events: [...events, ...spent] };
}

/** What the agent wrote into the file, unless that is the base's own; what cannot be used is set aside. */
async function readNoteFile(
  { ports }: SessionContext,
  { dir, slot, base, task, session }: Attempt,
): Promise<{ readonly sessionNote?: SessionNote; readonly note?: HarnessEvent } | null> {
  const { workspace, toolbox } = ports;
  if (!dir || !toolbox?.readSessionNote) return null;
  const { [SESSION_NOTE_FILE]: onDisk = null } = await workspace.hashes(slot, [SESSION_NOTE_FILE]);
  if (onDisk === null || onDisk === (await workspace.blobId(base, SESSION_NOTE_FILE))) return null;
  const found = await toolbox.readSessionNote(dir);
  if (found === null || 'sessionNote' in found) return found;
  const kept = await ports.artifacts.write(
    `handoffs/set-aside-session-${session}.txt`,
    ports.redact?.(found.text) ?? found.text,
  );
  const text = `${SESSION_NOTE_FILE} cannot be used (${found.why}) and was set aside as ${kept.path}`;
  return { note: { type: 'note.added', level: 'important', text, task } };
}

/** Names of files that are not there would send the next agent looking for them. */
async function keepExisting(
  { ports }: SessionContext,
  { slot }: Attempt,
  sessionNote: SessionNote,
): Promise<SessionNote> {
  const named = sessionNote.critical_files.filter(isProjectPath);
  const hashes = named.length > 0 ? await ports.workspace.hashes(slot, named) : {};
  return { ...sessionNote, critical_files: named.filter(path => (hashes[path] ?? null) !== null) };
}

const MAX_MATERIAL_CHARS = 12_000;

async function summarise(
  ctx: SessionContext,
  { task, attempt, digest }: Ended,
  own: SessionNote,
): Promise<{ readonly sessionNote: SessionNote; readonly spent: readonly HarnessEvent[] }> {
  const material = getMaterial(task, own, digest).slice(0, MAX_MATERIAL_CHARS);
  const request = { task: task.def, attempt, material, schema: SESSION_NOTE_SCHEMA };
  const { value, spent } = await askSummariser(ctx, request);
  return { sessionNote: getSummarisedNote(value) ?? own, spent };
}

function getMaterial({ def }: TaskState, own: SessionNote, { files, commands, texts }: Digest): string {
  return [
    `A session on the task "${def.title}" ended before the task was done: ${own.phase}. Write the handoff: \`phase\` (how far it came), \`completed\`, \`next_step\`, \`critical_files\`, \`memory_notes\` (what else the next one must know).`,
    `Done means:\n${def.verificationSteps.map(step => `- ${step}`).join('\n') || '- what the title says'}`,
    `Files written: ${files.join(', ') || 'none'}`,
    ...commands.map(({ command, exitCode, output }) => `$ ${command}\n${output}\n(exit ${exitCode ?? '?'})`),
    `What the agent said, oldest first:\n${texts.map(text => `- ${text}`).join('\n')}`,
  ].join('\n\n');
}
