import { join } from 'node:path';

/** What git has of a file whose content Git LFS keeps elsewhere. */
export interface Pointer {
  readonly oid: string;
  readonly size: number;
}

/** Longer texts are none, by the format's own rule. */
export const MAX_POINTER_BYTES = 1024;

const VERSION = 'version https://git-lfs.github.com/spec/v1';

/** The pointer that a text is; null for any other text. */
export function getPointer(text: string): Pointer | null {
  if (text.length >= MAX_POINTER_BYTES || !text.startsWith(`${VERSION}\n`)) return null;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

export function getPointerText({ oid, size }: Pointer): string {
  return `${VERSION}\noid sha256:${oid}\nsize ${size}\n`;
}

/** Where a clone keeps that content, if it has it. */
export function getObjectPath(storage: string, oid: string): string {
  return join(storage, 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}
