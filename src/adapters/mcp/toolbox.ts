import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../../core/base/json.ts';
import type { ToolEntry } from '../../core/model/agent-event.ts';
import { SESSION_NOTE_FILE } from '../../core/monitor/session-note.ts';
import type { McpServer, SessionNoteFile, Toolbox } from '../../ports/index.ts';
import { getHarnessTools, toolEntry } from './tools.ts';

/** More than an honest agent writes; what is beyond is not read. */
const MAX_BYTES = 1_000_000;
const MAX_ENTRIES = 500;

/** More than a session note of the largest allowed size takes. */
const MAX_NOTE_BYTES = 64 * 1024;

const ENTRIES = 'entries.jsonl';
const ORIENTATION = 'orientation.md';

/** The folder through which an agent's tools and the harness talk; inside the agent's own git directory. */
function getToolboxDir(worktree: string): string {
  return join(worktree, '.git', 'harness-tools');
}

/**
 * The Toolbox port: `serve` is the command that starts the tools for a folder. Tools that are called in
 * this process touch no file of it: the agent may have put links there, and we are not in its sandbox.
 */
export function createToolboxes(serve: (dir: string) => McpServer): Toolbox {
  const received = new Map<string, unknown[]>();
  return {
    open: async (worktree, orientation) => {
      const dir = getToolboxDir(worktree);
      writeToolbox(dir, orientation);
      const entries: unknown[] = [];
      received.set(dir, entries);
      const keep = (entry: unknown): void => void (entries.length < MAX_ENTRIES && entries.push(entry));
      return { ...serve(dir), local: getHarnessTools({ orient: () => orientation, keep }) };
    },
    readSessionNote,
    read: async worktree => {
      const dir = getToolboxDir(worktree);
      return [...getEntries(received.get(dir) ?? []), ...readToolbox(dir)];
    },
  };
}

/** Lays out an empty toolbox before a session; an earlier agent's links are not followed. */
function writeToolbox(dir: string, orientation: string): void {
  const git = dirname(dir);
  mkdirSync(git, { recursive: true });
  if (!lstatSync(git).isDirectory()) throw new Error(`${git} is not the folder that was made there`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  writeFileSync(join(dir, ORIENTATION), orientation, { flag: 'wx' });
  writeFileSync(join(dir, ENTRIES), '', { flag: 'wx' });
}

/** What the tools were told; anything that is not in form is left out, never trusted. */
function readToolbox(dir: string): ToolEntry[] {
  const path = join(dir, ENTRIES);
  if (!isFile(path)) return [];
  return getEntries(readHead(path).split('\n').slice(0, MAX_ENTRIES).map(parseJson));
}

/** Where the agent has put something else in the place of a folder, there is no file either. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function getEntries(lines: readonly unknown[]): ToolEntry[] {
  return lines.flatMap(entry => {
    const parsed = toolEntry.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

export function getEntriesPath(dir: string): string {
  return join(dir, ENTRIES);
}

export function getOrientationPath(dir: string): string {
  return join(dir, ORIENTATION);
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, MAX_BYTES, 0)).toString('utf8');
  } finally {
    closeSync(file);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** What an agent wrote for whoever goes on; links are not followed, since they may lead out of the worktree. */
export async function readSessionNote(worktree: string): Promise<SessionNoteFile | null> {
  const text = await readText(join(worktree, SESSION_NOTE_FILE));
  if (text === null) return null;
  if (text.length > MAX_NOTE_BYTES)
    return { why: `it is longer than ${MAX_NOTE_BYTES} bytes`, text: text.slice(0, MAX_NOTE_BYTES) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { why: (error as Error).message, text };
  }
  if (!isObject(value)) return { why: 'it is not an object', text };
  const parsed = toolEntry.safeParse({ ...value, type: 'handoff' });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { why: `${issue?.path.join('.') || 'its fields'}: ${issue?.message ?? 'not valid'}`, text };
  }
  if (parsed.data.type !== 'handoff') return null;
  const { type: _, ...sessionNote } = parsed.data;
  return { sessionNote };
}

async function readText(path: string): Promise<string | null> {
  const folder = await lstat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  try {
    if (!file || !(await file.stat()).isFile()) return null;
    const buffer = Buffer.alloc(MAX_NOTE_BYTES + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file?.close();
  }
}
