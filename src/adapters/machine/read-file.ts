import { readFile } from 'node:fs/promises';

/** A file of the kernel's; null where it is not there, or not for us. */
export function readKernelFile(path: string): Promise<string | null> {
  return readFile(path, 'utf8').then(
    text => text.trim(),
    () => null,
  );
}

/** A number in it; null where there is none. */
export async function readKernelNumber(path: string): Promise<number | null> {
  const text = await readKernelFile(path);
  const number = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
