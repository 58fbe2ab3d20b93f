import { randomBytes } from 'node:crypto';
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

export interface NewObject {
  readonly type: 'commit' | 'tree' | 'blob';
  readonly body: Buffer;
}

/** As git does by default: objects are packed properly later. */
const LEVEL = 1;

/** Writes one object into a file of its own. One that is there is made young again, so that nobody prunes it. */
export function writeLoose(objectsDir: string, id: string, { type, body }: NewObject): void {
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
