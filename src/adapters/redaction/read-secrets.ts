import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getSecretValues } from '../../core/base/redact.ts';

/** Secret values that are known before anything runs: the environment's, and those of the project's .env files. */
export function readSecrets(
  env: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
): string[] {
  return [...getSecretValues(env), ...roots.flatMap(readEnvFiles)];
}

function readEnvFiles(root: string): string[] {
  try {
    const names = readdirSync(root).filter(
      name => name === '.env' || name.startsWith('.env.') || name === '.netrc' || name === '.npmrc',
    );
    return names.flatMap(name => getValues(readFileSync(join(root, name), 'utf8')));
  } catch {
    return [];
  }
}

/** In a file made for secrets every value counts, whatever its name; short and plain ones do not. */
function getValues(text: string): string[] {
  return text
    .split('\n')
    .map(line => /^\s*(?:export\s+)?[\w./:-]+\s*=\s*(.*)$/.exec(line)?.[1] ?? '')
    .map(value => value.trim().replace(/^(['"])(.*)\1$/, '$2'))
    .filter(value => value.length >= 12 && !/^(?:https?:\/\/[^@]*|[\w.-]+\/[\w./-]*|[a-z]+)$/i.test(value));
}
