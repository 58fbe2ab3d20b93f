import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError } from '../core/failure.ts';
import { checkConfig } from './check-config.ts';
import type { Env } from './expand-env.ts';
import { findConfigFile } from './find-config.ts';
import { parseText } from './parse-text.ts';
import type { Config } from './schema.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** Relative to the root. */
  readonly file: string;
}

/** Reads the project's configuration, whichever of its four names it goes by. */
export async function loadConfig(root: string, env: Env): Promise<LoadedConfig> {
  const file = findConfigFile(root);
  if (file === null) {
    throw new HarnessError('config', `there is no configuration in ${root}`, {
      file: '.harness.yaml',
      fix: 'Run "harness init" to write one.',
    });
  }
  const path = join(root, file);
  if (file.endsWith('.ts')) {
    const value = await runConfigModule(path, file);
    return { config: checkConfig(value, { file, env, locate: () => null }), file };
  }
  return { config: parseConfig(await readText(path, file), file, env), file };
}

/** The same without a disk: for a file read at a git commit. A `.ts` file has to be run, so not here. */
export function parseConfig(text: string, file: string, env: Env): Config {
  if (file.endsWith('.ts')) {
    throw new HarnessError('config', `${file} is a program and cannot be read as text`, {
      file,
      fix: 'Use .harness.yaml or harness.config.json where the configuration is read from a commit.',
    });
  }
  const { value, locate } = parseText(text, file);
  return checkConfig(value, { file, env, locate });
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const fix = 'Make it a file that you may read.';
    throw new HarnessError('config', `${file} cannot be read: ${getMessage(error)}`, { file, fix });
  }
}

async function runConfigModule(path: string, file: string): Promise<unknown> {
  const { createJiti } = await import('jiti/static');
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  try {
    return await jiti.import(path, { default: true });
  } catch (error) {
    const fix = 'Make the file export its settings as default, without failing.';
    throw new HarnessError('config', `${file} failed when run: ${getMessage(error)}`, { file, fix });
  }
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
