import { readFile, writeFile } from 'node:fs/promises';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { Unserved } from '../../core/model/testing.ts';
import type { ReportPlan } from '../../core/runners/runner.ts';
import type { EndToEnd, TestRequest } from '../../ports/index.ts';
import { clearDirs } from './artifact-dirs.ts';
import type { ServeJob } from './serve-for.ts';

/** What a run of end-to-end tests needs around its command. */
export interface Served {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Why the application was not there; null where it was. */
  readFault(): Promise<Unserved | null>;
}

/**
 * Prepares a run of end-to-end tests: their folders of artifacts emptied, since what is committed there would pass
 * for what they have just seen, and the application beside them, started by this program within the same box.
 */
export async function prepareEndToEnd(
  { dir, timeoutMs, surroundings }: TestRequest,
  { application, artifactDirs }: EndToEnd,
  { reportFile, plan }: { readonly reportFile: string; readonly plan: ReportPlan },
  program: readonly string[],
): Promise<Served> {
  await clearDirs(dir, artifactDirs);
  const port = surroundings?.HARNESS_PORT;
  // Playwright and others start no server of their own where one answers already, unless they are told of a CI.
  const env = { CI: '1', ...(port === undefined ? {} : { PORT: port }) };
  const { command } = plan;
  if (application === null)
    return { command, env: { ...plan.env, ...env }, timeoutMs, readFault: async () => null };
  const [jobFile, faultFile] = [`${reportFile}-job.json`, `${reportFile}-fault.json`];
  const job: ServeJob = { dir, application, command, env: plan.env, faultFile };
  await writeFile(jobFile, JSON.stringify(job));
  return {
    command: [...program, 'serve', '--job', jobFile].map(getShellQuoted).join(' '),
    env,
    timeoutMs: timeoutMs + application.readyMs,
    readFault: () => readFault(faultFile),
  };
}

async function readFault(file: string): Promise<Unserved | null> {
  try {
    const { fault, why } = JSON.parse(await readFile(file, 'utf8')) as Unserved;
    return { fault: fault === 'foreign' || fault === 'unseen' ? fault : 'down', why: String(why) };
  } catch {
    return null;
  }
}
