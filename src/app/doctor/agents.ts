import { existsSync, statSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { createAgent } from '../../adapters/agents/create-agent.ts';
import { DEFAULT_SCRIPT, readAgentScript } from '../../adapters/agents/scripted/scripted.ts';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { createClock } from '../../adapters/process/clock.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createShell } from '../../adapters/process/shell.ts';
import { getModels } from '../../config/sections/models.ts';
import { getCommands, getShellQuoted, isAssignment } from '../../core/shell/command-line.ts';
import { getRelativeProgram } from '../../core/shell/relative-program.ts';
import type { Project } from '../project/open-project.ts';
import { openSandbox } from '../project/open-sandbox.ts';
import { findMissingProgram, isExecutable } from './commands.ts';
import { type Checkup, getFinding } from './finding.ts';
import { checkKit } from './kits.ts';

type Finding = Omit<Checkup, 'name'>;

/** A project as far as its agents can be looked at; what the sandbox hides is known once there is a commit. */
export type AgentPlace = Pick<Project, 'config' | 'configFile' | 'root'> & Partial<Project>;

/** Every agent that a role has and each one to fall back on: whether it could be started, and how to get it. */
export async function checkAgents(place: AgentPlace, base: string): Promise<Checkup[]> {
  const { fallback } = place.config.agent;
  const named = new Set(Object.values(getModels(place.config)).map(({ provider }) => provider));
  const findings: Checkup[] = [];
  for (const provider of named)
    findings.push(await getFinding('agent', () => checkAgent(place, provider, base)));
  for (const other of new Set(fallback.filter(one => !named.has(one)))) {
    const { status, ...finding } = await getFinding('fallback', () => checkAgent(place, other, base));
    // The first one may never need it.
    const detail = `${other}: ${finding.detail.replace(new RegExp(`^${other}[:,] `), '')}`;
    findings.push({ ...finding, detail, status: status === 'ok' ? 'ok' : 'warn' });
  }
  return findings;
}

async function checkAgent(place: AgentPlace, provider: string, base: string): Promise<Finding> {
  const { config, configFile, root } = place;
  const { command, script } = config.agent;
  if (provider === 'scripted') return checkScript(place, script ?? DEFAULT_SCRIPT);
  const owner = { workerId: 'doctor', random: createRandom() };
  const scriptPath = join(root, script ?? DEFAULT_SCRIPT);
  createAgent({ provider, command, scriptPath }, { owner, shell: createShell(owner), clock: createClock() });
  if (provider === 'claude' || provider === 'codex') return checkKit(provider, root, process.env);
  const line = command ?? '';
  const program = findMissingProgram(line, root);
  if (program !== null) {
    const fix = `install ${program}, or change agent.command in ${configFile}`;
    return { status: 'fail', detail: `${program} of "${line}" is not found`, fix };
  }
  const path = getCommands(line)[0]?.find(({ value }) => !isAssignment(value))?.value ?? '';
  if (isAbsolute(path) && !isExecutable(path)) {
    const fix = `chmod +x ${path}`;
    return { status: 'fail', detail: `${path} of "${line}" is not a program that you may run`, fix };
  }
  const kit = provider === 'acp' ? checkKit('acp', root, process.env) : null;
  if (kit && kit.status !== 'ok') return kit;
  return (
    (await findUncommitted(line, root, base)) ??
    (await findHidden(place, line)) ??
    findTaken(place, provider) ??
    kit ?? { status: 'ok', detail: `${provider}: ${line}` }
  );
}

async function checkScript({ root, config, configFile }: AgentPlace, script: string): Promise<Finding> {
  const path = isAbsolute(script) ? script : join(root, script);
  const found = await readAgentScript(path);
  if (found !== null) return { status: 'ok', detail: `scripted, playing ${script}` };
  const isChosen = config.agent.script !== null;
  const detail = isChosen
    ? `the scripted agent has no script at ${script}`
    : `no agent is configured: the embedded one plays ${script}, which is not there`;
  const lines = ['agent:', '  provider: command', '  command: ./agent.sh']
    .map(line => `\n  ${line}`)
    .join('');
  const fix = `say in ${configFile} who does the work (or claude, codex, acp: docs/agents.md):${lines}`;
  return { status: 'fail', detail, fix };
}

/** A file of the project that the command names runs as it is committed, in the agent's worktree, or not at all. */
async function findUncommitted(line: string, root: string, base: string): Promise<Finding | null> {
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
    if (changed !== '') {
      const detail = `${path} of "${line}" has changes that are not committed on ${base}: ${runs}`;
      return { status: 'warn', detail, fix: `git commit ${path}` };
    }
  }
  return null;
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

/** Agents over ACP are told not to, and not all of them listen. */
function findTaken({ config, root }: AgentPlace, provider: string): Finding | null {
  const file = '.codex/config.toml';
  if (provider !== 'acp' || config.agent.trust_repo_settings || !existsSync(join(root, file))) return null;
  return {
    status: 'warn',
    detail: `${file}: Codex over ACP takes the settings of a repository whatever it is told`,
    fix: 'set agent.provider to codex, or agent.trust_repo_settings to true when you trust them',
  };
}

const PROBE_MS = 20_000;

/** A program that is there, and not where the agent is started: looked for from inside the sandbox itself. */
async function findHidden(place: AgentPlace, line: string): Promise<Omit<Checkup, 'name'> | null> {
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
