import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { TEXT_LOADERS } from '../../scripts/text-files.js';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Breakage } from './breakages.ts';
import type { Procs } from './run-child.ts';
import type { Workshop } from './run-round.ts';
import { createTemplates } from './scenes.ts';

/** Bundles the program to be killed and makes the repositories to copy; `close` takes all of it away. */
export async function openWorkshop(options: {
  readonly breakage?: Breakage | null;
  readonly procs?: Procs | null;
  readonly keep?: boolean;
}): Promise<Workshop & { close(): Promise<void> }> {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'harness-chaos-')));
  const templates = join(parent, 'templates');
  createTemplates(templates);
  const program = join(process.cwd(), 'node_modules', '.cache', 'harness', `chaos-${process.pid}.mjs`);
  mkdirSync(join(program, '..'), { recursive: true });
  await bundle(program);
  const { breakage = null, procs = null, keep = false } = options;
  let server: Promise<PostgresServer> | null = null;
  return {
    program,
    templates,
    parent,
    postgres: () => {
      server ??= startPostgres();
      return server;
    },
    breakage,
    procs,
    keep,
    close: async () => {
      await (await server)?.stop();
      rmSync(program, { force: true });
      if (!keep) rmSync(parent, { recursive: true, force: true });
    },
  };
}

async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [join(process.cwd(), 'test/chaos/entry.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    external: ['@photostructure/sqlite', 'node:sqlite', 'jiti'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    loader: TEXT_LOADERS,
    logLevel: 'warning',
  });
}
