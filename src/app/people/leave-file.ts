import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { createStateDir } from '../../adapters/artifacts/state-dir.ts';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { getText, MAX_CONTEXT_FILE_BYTES } from '../../adapters/context-files/read-context-file.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { ContextFileRole } from '../../core/model/context-file.ts';
import type { Checkout } from '../project/open-checkout.ts';

export interface LeftFile {
  readonly file: string;
  readonly role: ContextFileRole;
  readonly next: string;
}

/** Leaves a copy of a file where the next agent with that role is told of it, once. */
export async function leaveFile(
  { gitDirs, stateDir }: Checkout,
  { file, role, cwd }: { readonly file: string; readonly role: ContextFileRole; readonly cwd: string },
): Promise<LeftFile> {
  const bytes = readDropped(resolve(cwd, file), file);
  const folder = join(stateDir, 'inbox', role);
  createStateDir(stateDir);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, getFreeName(folder, basename(file), bytes));
  writeAtomic(path, bytes, { durable: true });
  const next = role === 'planner' ? 'harness plan --spec <file>' : 'harness run';
  return { file: relative(gitDirs.mainRoot, path), role, next };
}

function readDropped(path: string, file: string): Buffer {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw getError(file, 'is not a file', 'give it a text file');
  if (found.size > MAX_CONTEXT_FILE_BYTES) {
    throw getError(
      file,
      `is larger than ${MAX_CONTEXT_FILE_BYTES / 1024} KB`,
      'leave only what the agent has to know',
    );
  }
  const bytes = readFileSync(path);
  const text = getText(bytes);
  if (text === null) throw getError(file, 'is no text in UTF-8', 'give it a text file');
  if (text.trim() === '') throw getError(file, 'is empty', 'write down what the agent has to know');
  return bytes;
}

function getError(file: string, problem: string, fix: string): HarnessError {
  return new HarnessError('usage', `${file} ${problem}`, { file, field: '<file>', fix });
}

/** The file's own name, unless something else of that name still waits; dots in front would hide it. */
function getFreeName(folder: string, wanted: string, bytes: Buffer): string {
  const name = wanted.replace(/^\.+/, '') || 'drop';
  if (!lstatSync(join(folder, name), { throwIfNoEntry: false })) return name;
  const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const end = extname(name);
  return `${name.slice(0, name.length - end.length)}-${mark}${end}`;
}
