import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCacheDir } from '../adapters/git/cache-dir.ts';
import { createRandom } from '../adapters/process/random.ts';
import { createShell } from '../adapters/process/shell.ts';
import { getCommands, getShellQuoted, isAssignment } from '../core/command-line.ts';
import { getRelativeProgram } from '../core/relative-program.ts';
import type { AgentPlace } from './doctor-agents.ts';
import type { Checkup } from './doctor-finding.ts';
import type { Project } from './open-project.ts';
import { openSandbox } from './open-sandbox.ts';

const PROBE_MS = 20_000;

/** A program that is there, and not where the agent is started: looked for from inside the sandbox itself. */
export async function findHidden(place: AgentPlace, line: string): Promise<Omit<Checkup, 'name'> | null> {
  const program = getCommands(line)[0]?.find(({ value }) => !isAssignment(value))?.value ?? '';
  if (program === '' || /[$`*?]/.test(program) || getRelativeProgram(program) !== null || !isProject(place))
    return null;
  const { agent: sandbox } = await openSandbox(place, getCacheDir());
  if (!sandbox) return null;
  const cwd = await mkdtemp(join(await realpath(tmpdir()), 'harness-look-'));
  try {
    const shell = createShell({ workerId: 'doctor', random: createRandom(), sandbox });
    const { signal } = new AbortController();
    const command = `command -v -- ${getShellQuoted(program)}`;
    const { exitCode } = await shell.run({ command, cwd, timeoutMs: PROBE_MS, signal });
    if (exitCode === 0) return null;
    const detail = `${program} of "${line}" is there, but the sandbox hides it from the agent: temporary folders are private to each command`;
    const fix = `put it outside of ${tmpdir()} or commit it, or name its folder in sandbox.readable in ${place.configFile}`;
    return { status: 'fail', detail, fix };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function isProject(place: AgentPlace): place is Project {
  return place.repo !== undefined && place.policy !== undefined;
}
