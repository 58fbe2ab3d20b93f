import { spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Unserved } from '../../core/model/testing.ts';
import type { ApplicationRequest } from '../../ports/index.ts';
import { getShellCommand } from '../process/shell.ts';
import { startApplication } from '../process/start-application.ts';

/** A command, the application that it needs, and where to write why that was not there. */
export interface ServeJob {
  readonly dir: string;
  readonly application: ApplicationRequest;
  readonly command: string;
  /** For the command alone: what makes a runner report would have the application do so, too. */
  readonly env: Readonly<Record<string, string>>;
  readonly faultFile: string;
}

/** `harness serve`: started by the harness itself, in the box of the tests, so that the application is in there as well. */
export async function serveFor(jobFile: string): Promise<void> {
  const job = JSON.parse(readFileSync(jobFile, 'utf8')) as ServeJob;
  const { application: wanted, dir } = job;
  const application = await startApplication({ ...wanted, dir });
  if ('fault' in application) return endWith(job, application);
  const { port } = new URL(application.url);
  const exitCode = await runCommand(job, port);
  const isForeign = application.isForeign();
  application.stop();
  if (isForeign)
    endWith(job, { fault: 'foreign', why: `somebody else came to listen on port ${port} meanwhile` });
  // An application that left its group still holds our pipes; whoever started us ends it.
  process.exit(exitCode);
}

function runCommand({ command, dir, env }: ServeJob, port: string): Promise<number> {
  const [file, ...args] = getShellCommand(command, process.env.PATH);
  const own = port === '' ? {} : { HARNESS_PORT: port, PORT: port };
  const child = spawn(file, args, { cwd: dir, env: { ...process.env, ...env, ...own }, stdio: 'inherit' });
  return new Promise(resolve => {
    child.once('error', () => resolve(127));
    // As a shell tells of a command that a signal ended.
    child.once('exit', code => resolve(code ?? 128));
  });
}

function endWith({ faultFile }: ServeJob, fault: Unserved): never {
  writeFileSync(`${faultFile}.part`, JSON.stringify(fault));
  renameSync(`${faultFile}.part`, faultFile);
  process.exit(1);
}
