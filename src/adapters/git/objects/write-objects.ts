import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import type { ObjectFormat } from '../repo/repo.ts';

export interface NewObject {
  readonly type: 'commit' | 'tree' | 'blob';
  readonly body: Buffer;
}

/** The name git will give an object: known before it is written, so that objects can refer to each other. */
export function getObjectId(format: ObjectFormat, object: NewObject): string {
  return createHash(format)
    .update(`${object.type} ${object.body.length}\0`)
    .update(object.body)
    .digest('hex');
}

/**
 * Writes objects as git does, each flushed before it gets its name, without a process for it. Where
 * that does not work (a repository that is shared between users has rules of its own), git does it.
 */
export async function writeObjects(ctx: GitContext, objects: readonly NewObject[]): Promise<void> {
  if (objects.length === 0) return;
  const { objectsDir, objectFormat, coreSettings } = ctx.repo;
  try {
    if (coreSettings.sharedrepository !== undefined) return await hashObjects(ctx, objects);
    for (const object of objects) writeLoose(objectsDir, getObjectId(objectFormat, object), object);
  } catch {
    await hashObjects(ctx, objects);
  }
}

/** By git itself, a process for each. */
async function hashObjects(ctx: GitContext, objects: readonly NewObject[]): Promise<void> {
  for (const { type, body } of objects) {
    const written = await runScratch(ctx, ['hash-object', '-w', '-t', type, '--stdin'], { input: body });
    expectOk(ctx, 'writing objects', written);
  }
}

/** As git does by default: objects are packed properly later. */
const LEVEL = 1;

/** Writes one object into a file of its own. One that is there is made young again, so that nobody prunes it. */
function writeLoose(objectsDir: string, id: string, { type, body }: NewObject): void {
  const dir = join(objectsDir, id.slice(0, 2));
  const path = join(dir, id.slice(2));
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  mkdirSync(dir, { recursive: true });
  const data = deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]), { level: LEVEL });
  // Git's own name for what was never finished: its clean-up knows and removes it.
  const draft = join(dir, `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    writeFlushed(draft, data);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeFlushed(path: string, data: Buffer): void {
  const file = openSync(path, 'wx', 0o444);
  try {
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
