import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import type { ObjectFormat } from '../repo/object-format.ts';
import { type NewObject, writeLoose } from './write-loose.ts';

const PACK_TYPES = { commit: 1, tree: 2, blob: 3 } as const;

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
    if (coreSettings.sharedrepository !== undefined) return await unpackObjects(ctx, objects);
    for (const object of objects) writeLoose(objectsDir, getObjectId(objectFormat, object), object);
  } catch {
    await unpackObjects(ctx, objects);
  }
}

/** Any number of objects with one process, as a pack on its standard input. */
async function unpackObjects(ctx: GitContext, objects: readonly NewObject[]): Promise<void> {
  const input = getPack(ctx.repo.objectFormat, objects);
  expectOk(ctx, 'writing objects', await runScratch(ctx, ['unpack-objects', '-q'], { input }));
}

function getPack(format: ObjectFormat, objects: readonly NewObject[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap(object => [getEntryHead(object), deflateSync(object.body)]);
  const pack = Buffer.concat([head, ...parts]);
  return Buffer.concat([pack, createHash(format).update(pack).digest()]);
}

/** Type and size, four bits and then seven at a time, lowest first. */
function getEntryHead(object: NewObject): Buffer {
  const bytes: number[] = [];
  let size = object.body.length;
  let byte = (PACK_TYPES[object.type] << 4) | (size & 15);
  size = Math.floor(size / 16);
  while (size > 0) {
    bytes.push(byte | 0x80);
    byte = size & 0x7f;
    size = Math.floor(size / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}
