import { HarnessError } from '../../core/base/failure.ts';

const WORKER_ID = 'HARNESS_WORKER_ID';

/** What a person calls the worker of this run; it is a part of file names and of the marks on processes. */
export function readWorkerName(env: NodeJS.ProcessEnv): string | undefined {
  const name = env[WORKER_ID];
  if (!name) return undefined;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name)) return name;
  throw new HarnessError('config', `${WORKER_ID}: ${JSON.stringify(name)} cannot be the name of a worker`, {
    field: WORKER_ID,
    fix: 'use at most 40 letters, digits, dots, dashes and underscores, and begin with a letter or digit',
  });
}
