/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** Bytes of an object's name where git writes it raw. */
export function getIdBytes(format: ObjectFormat): number {
  return format === 'sha256' ? 32 : 20;
}
