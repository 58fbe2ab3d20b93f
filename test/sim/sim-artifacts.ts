import { getSha256 } from '../../src/adapters/process/hasher.ts';
import type { Artifacts } from '../../src/ports/index.ts';

/** Files that stay when a process dies, as on a disk. */
export function createSimArtifacts(): Artifacts {
  const files = new Map<string, string>();
  return {
    write: async (path, given) => {
      const content = String(given);
      files.set(path, content);
      return { path, sha256: getSha256(content) };
    },
    read: async ({ path, sha256 }) => {
      const content = files.get(path);
      return content !== undefined && getSha256(content) === sha256 ? content : null;
    },
    project: async () => undefined,
    openTranscript: async path => ({ add: () => undefined, close: async () => ({ path, sha256: '0' }) }),
    closeTranscript: async path => ({ path, sha256: '0' }),
  };
}
