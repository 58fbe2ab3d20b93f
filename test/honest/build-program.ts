import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Builds the command into a folder of its own; loaded from where it stands, as it builds the repository around it. */
export async function buildProgram(dist: string): Promise<string> {
  const script = pathToFileURL(join(process.cwd(), 'scripts', 'build.js')).href;
  const { buildAll } = (await import(script)) as { buildAll(dist: string): Promise<void> };
  await buildAll(dist);
  return join(dist, 'harness.js');
}
