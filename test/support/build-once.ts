import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildAll } from '../../scripts/build.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built command, as it would be installed. */
    harnessProgram: string;
  }
}

/** Builds the command once for all tests, into a folder of its own: never stale, never pulled away by another build. */
export async function setup(project: TestProject): Promise<() => void> {
  const dist = fileURLToPath(
    new URL(`../../node_modules/.cache/harness/test-${process.pid}`, import.meta.url),
  );
  await buildAll(dist);
  for (const file of ['harness.js', 'package.json']) cpSync(`${dist}/${file}`, `${dist}/quick/${file}`);
  project.provide('harnessProgram', `${dist}/harness.js`);
  return () => rmSync(dist, { recursive: true, force: true });
}
