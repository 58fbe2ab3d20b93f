import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HANDOFF_FILE } from '../../core/monitor/handoff.ts';
import type { HandoffFile } from '../../ports/index.ts';
import { toolEntry } from './tools.ts';

/** More than a handoff of the largest allowed size takes. */
const MAX_BYTES = 64 * 1024;

/** What an agent wrote for whoever goes on; links are not followed, since they may lead out of the worktree. */
export async function readHandoff(worktree: string): Promise<HandoffFile | null> {
  const text = await readText(join(worktree, HANDOFF_FILE));
  if (text === null) return null;
  if (text.length > MAX_BYTES)
    return { why: `it is longer than ${MAX_BYTES} bytes`, text: text.slice(0, MAX_BYTES) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { why: (error as Error).message, text };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { why: 'it is not an object', text };
  const parsed = toolEntry.safeParse({ ...value, type: 'handoff' });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { why: `${issue?.path.join('.') || 'its fields'}: ${issue?.message ?? 'not valid'}`, text };
  }
  if (parsed.data.type !== 'handoff') return null;
  const { type: _, ...handoff } = parsed.data;
  return { handoff };
}

async function readText(path: string): Promise<string | null> {
  const folder = await lstat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  try {
    if (!file || !(await file.stat()).isFile()) return null;
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file?.close();
  }
}
