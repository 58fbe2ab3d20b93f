import { statSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { createAgent, getProvider } from '../../adapters/agents/providers.ts';
import { findPackage, getInstallCommand } from '../../adapters/agents/shared/optional-package.ts';
import type { Env, Finding, Provider } from '../../adapters/agents/shared/provider.ts';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { createClock } from '../../adapters/process/clock.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createShell } from '../../adapters/process/shell.ts';
import { getModels, getUsualProvider } from '../../config/sections/models.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getProviderFacts } from '../../core/model/provider.ts';
import { getCommands, getRelativeProgram, isAssignment } from '../../core/shell/command-line.ts';
import { refuseNoAgent } from '../project/before-agents.ts';
import type { Project } from '../project/open-project.ts';
import { openSandbox } from '../project/open-sandbox.ts';
import { findMissingProgram, isExecutable } from './commands.ts';
import { type Checkup, getFinding } from './finding.ts';

/** A project as far as its agents can be looked at; what the sandbox hides is known once there is a commit. */
export type AgentProject = Pick<Project, 'config' | 'configFile' | 'root'> & Partial<Project>;

/** Every agent that a role has and each one to fall back on: whether it could be started, and how to get it. */
export async function checkAgents(project: AgentProject, base: string): Promise<Checkup[]> {
  const { fallback } = project.config.agent;
  const named = new Set(Object.values(getModels(project.config)).map(({ provider }) => provider));
  const findings: Checkup[] = [];
  if (getUsualProvider(project.config) === null)
    return [await getFinding('agent', async () => refuse(project))];
  for (const provider of named)
    findings.push(await getFinding('agent', () => checkAgent(project, provider, base)));
  for (const other of new Set(fallback.filter(one => !named.has(one)))) {
    const { status, ...finding } = await getFinding('fallback', () => checkAgent(project, other, base));
    // The first one may never need it.
    const detail = `${other}: ${finding.detail.replace(new RegExp(`^${other}[:,] `), '')}`;
    findings.push({ ...finding, detail, status: status === 'ok' ? 'ok' : 'warn' });
  }
  return findings;
}

function refuse(project: AgentProject): Finding {
  refuseNoAgent(project);
  return { status: 'ok', detail: '' };
}

async function checkAgent(project: AgentProject, name: string, base: string): Promise<Finding> {
  const { config, configFile, root } = project;
  const provider = getProvider(name);
  const { sdk, command } = getProviderFacts(provider.name);
  const own = { script: config.agent.script, trustRepo: config.agent.trust_repo_settings };
  const line = command === null ? null : getCommandLine(project, name);
  if (line !== null) {
    const problem = checkProgram(line, project);
    if (problem) return problem;
  }
  const found = sdk && checkSdk(provider, root, process.env);
  if (found && found.status !== 'ok') return found;
  return (
    (line === null ? null : await findUncommitted(line, project, base)) ??
    (line === null ? null : await findHidden(project, line)) ??
    (await provider.examine?.({ ...own, root, configFile })) ??
    found ?? { status: 'ok', detail: `${name}: ${line}` }
  );
}

/** What starts the agent; the error for a missing one is that of a run. */
function getCommandLine({ config, root }: AgentProject, name: string): string {
  const { command } = config.agent;
  const owner = { workerId: 'doctor', random: createRandom() };
  createAgent(
    name,
    { command, projectRoot: root },
    { owner, shell: createShell(owner), clock: createClock() },
  );
  return command ?? '';
}

/** Whether an agent's SDK is installed, in the version that is tested, and whether there is a way to log in. */
export function checkSdk({ name, login }: Provider, root: string, env: Env): Finding {
  const { sdk } = getProviderFacts(name);
  if (sdk === null) return { status: 'ok', detail: `${name} needs no SDK` };
  const found = findPackage(sdk, root);
  if (!found) {
    return { status: 'fail', detail: `the ${sdk.label} is not installed`, fix: getInstallCommand(sdk) };
  }
  const way = login ? login.find(env) : 'the agent logs in by itself';
  const installed = `${sdk.label} ${found.version}`;
  if (login && way === null)
    return { status: 'warn', detail: `${installed}, and no login was found`, fix: login.fix };
  if (found.version !== sdk.version) {
    const detail = `${installed}; this Harness is tested with ${sdk.version}`;
    return { status: 'warn', detail, fix: getInstallCommand(sdk) };
  }
  return { status: 'ok', detail: `${installed}, ${way}` };
}

function checkProgram(line: string, { root, configFile }: AgentProject): Finding | null {
  const program = findMissingProgram(line, root);
  if (program !== null) {
    const fix = `install ${program}, or change agent.command in ${configFile}`;
    return { status: 'fail', detail: `${program} of "${line}" is not found`, fix };
  }
  const path = getCommands(line)[0]?.find(({ value }) => !isAssignment(value))?.value ?? '';
  if (!isAbsolute(path) || isExecutable(path)) return null;
  const detail = `${path} of "${line}" is not a program that you may run`;
  return { status: 'fail', detail, fix: `chmod +x ${path}` };
}

/** A file of the project that the command names runs as it is committed, in the agent's worktree, or not at all. */
async function findUncommitted(
  line: string,
  { root, repo }: AgentProject,
  base: string,
): Promise<Finding | null> {
  const words = getCommands(line)
    .map(command => command.map(({ value }) => value).filter(value => !isAssignment(value)))
    .flatMap(command =>
      command.map((value, index) => ({ value, index, isProgram: isProgram(command, index) })),
    );
  for (const { value, index, isProgram } of words) {
    const path = normalize(value);
    if (isAbsolute(path) || /^(\.\.|node_modules)\//.test(path) || !isFile(join(root, path))) continue;
    const git = async (...args: string[]) => await runGit(args, { cwd: root, env: getBaseEnv() });
    const there = (await git('ls-tree', base, '--', path).catch(() => null))?.stdout.toString() ?? '';
    const runs = 'the agent works in a tree of what is committed';
    if (there === '') {
      const detail = `${path} of "${line}" is not committed on ${base}: ${runs}`;
      return { status: isProgram ? 'fail' : 'warn', detail, fix: `git add ${path} && git commit` };
    }
    if (index === 0 && value.includes('/') && there.startsWith('100644')) {
      const detail = `${path} of "${line}" is committed as a file that cannot be run`;
      return { status: 'fail', detail, fix: `git update-index --chmod=+x ${path} && git commit` };
    }
    const changed = (await git('diff', '--name-only', base, '--', path)).stdout.toString();
    if (changed !== '' && repo?.remote != null && (await isOld(git, path, base))) {
      const detail = `${path} of "${line}" is older here than on ${repo.remote}/${repo.baseBranch}: ${runs}`;
      return { status: 'warn', detail, fix: `git pull ${repo.remote} ${repo.baseBranch}` };
    }
    if (changed !== '') {
      const detail = `${path} of "${line}" has changes that are not committed on ${base}: ${runs}`;
      return { status: 'warn', detail, fix: `git commit ${path}` };
    }
  }
  return null;
}

/** Whether the checkout is only behind, and the file as it was there. */
async function isOld(
  git: (...args: string[]) => Promise<{ readonly code: number; readonly stdout: Buffer }>,
  path: string,
  base: string,
): Promise<boolean> {
  const isBehind = (await git('merge-base', '--is-ancestor', 'HEAD', base)).code === 0;
  return isBehind && (await git('diff', '--quiet', 'HEAD', '--', path)).code === 0;
}

/** Whether nothing starts without this word: it is the program, or what an interpreter is given first. */
function isProgram(command: readonly string[], index: number): boolean {
  const [first = ''] = command;
  const given = command.findIndex((value, at) => at > 0 && !value.startsWith('-'));
  return index === 0 || (index === given && INTERPRETERS.test(first));
}

const INTERPRETERS = /(?:^|\/)(?:(?:ba|da|z|k)?sh|node|deno|bun|python[\d.]*|ruby|perl|php)$/;

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const PROBE_MS = 20_000;

/** A program that is there, and not where the agent is started: looked for from inside the sandbox itself. */
async function findHidden(project: AgentProject, line: string): Promise<Finding | null> {
  const program = getCommands(line)[0]?.find(({ value }) => !isAssignment(value))?.value ?? '';
  if (program === '' || /[$`*?]/.test(program) || getRelativeProgram(program) !== null || !isProject(project))
    return null;
  const { agent: sandbox } = await openSandbox(project, getCacheDir());
  if (!sandbox) return null;
  const cwd = await mkdtemp(join(await realpath(tmpdir()), 'harness-look-'));
  try {
    const shell = createShell({ workerId: 'doctor', random: createRandom(), sandbox });
    const { signal } = new AbortController();
    const command = `command -v -- ${getShellQuoted(program)}`;
    const { exitCode } = await shell.run({ command, cwd, timeoutMs: PROBE_MS, signal });
    if (exitCode === 0) return null;
    const detail = `${program} of "${line}" is there, but the sandbox hides it from the agent: temporary folders are private to each command`;
    const fix = `put it outside of ${tmpdir()} or commit it, or name its folder in sandbox.readable in ${project.configFile}`;
    return { status: 'fail', detail, fix };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function isProject(project: AgentProject): project is Project {
  return project.repo !== undefined && project.policy !== undefined;
}
