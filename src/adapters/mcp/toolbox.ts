import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolEntry } from '../../core/tool-entry.ts';
import type { McpServer, Toolbox } from '../../ports.ts';
import { toolEntry } from './tools.ts';

/** More than an honest agent writes; what is beyond is not read. */
const MAX_BYTES = 1_000_000;
const MAX_ENTRIES = 500;

const ENTRIES = 'entries.jsonl';
const ORIENTATION = 'orientation.md';

/** The folder through which an agent's tools and the harness talk; inside the agent's own git directory. */
function getToolboxDir(worktree: string): string {
  return join(worktree, '.git', 'harness-tools');
}

/** The Toolbox port: `serve` is the command that starts the tools for a folder. */
export function createToolboxes(serve: (dir: string) => McpServer): Toolbox {
  return {
    open: async (worktree, orientation) => {
      const dir = getToolboxDir(worktree);
      writeToolbox(dir, orientation);
      return serve(dir);
    },
    read: async worktree => readToolbox(getToolboxDir(worktree)),
  };
}

/** Lays out an empty toolbox before a session. */
export function writeToolbox(dir: string, orientation: string): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, ORIENTATION), orientation);
  writeFileSync(join(dir, ENTRIES), '');
}

/** What the tools were told; anything that is not in form is left out, never trusted. */
export function readToolbox(dir: string): ToolEntry[] {
  const path = join(dir, ENTRIES);
  if (!existsSync(path) || !statSync(path).isFile()) return [];
  return readHead(path)
    .split('\n')
    .slice(0, MAX_ENTRIES)
    .flatMap(line => {
      const parsed = toolEntry.safeParse(parseJson(line));
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
