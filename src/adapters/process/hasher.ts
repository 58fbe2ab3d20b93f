import { createHash } from 'node:crypto';
import { arch, platform, release } from 'node:os';
import { HARNESS_VERSION } from '../../core/base/version.ts';
import type { Hasher } from '../../ports/index.ts';

/** The hash that proofs are known by, and what they are made with on this machine. */
export function createHasher(
  config: { readonly path: string; readonly text: string } | null,
  gitVersion: string,
): Hasher {
  return {
    sha256: getSha256,
    config: config && { path: config.path, sha256: getSha256(config.text) },
    tools: {
      harness: HARNESS_VERSION,
      node: process.version,
      git: gitVersion,
      os: `${platform()} ${release()} ${arch()}`,
    },
  };
}

/** Of a text as UTF-8, in hex. */
export function getSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
