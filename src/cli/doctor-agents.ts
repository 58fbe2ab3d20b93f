import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { createAgent } from '../adapters/agents/create-agent.ts';
import { DEFAULT_SCRIPT, readAgentScript } from '../adapters/agents/scripted.ts';
import { getBaseEnv } from '../adapters/git/git-env.ts';
import { runGit } from '../adapters/git/run-git.ts';
import { createClock } from '../adapters/process/clock.ts';
import { createRandom } from '../adapters/process/random.ts';
import { createShell } from '../adapters/process/shell.ts';
import { getCommands } from '../core/command-line.ts';
import { findMissingProgram } from './doctor-commands.ts';
import { type Checkup, getFinding } from './doctor-finding.ts';
import { checkKit } from './doctor-kits.ts';
import type { Checkout } from './open-checkout.ts';

type Finding = Omit<Checkup, 'name'>;

/** The agent and each one to fall back on: whether it could be started, and how to get it. */
export async function checkAgents(checkout: Checkout, base: string): Promise<Checkup[]> {
  const { provider, fallback } = checkout.config.agent;
  const findings = [await getFinding('agent', () => checkAgent(checkout, provider, base))];
  for (const other of new Set(fallback.filter(one => one !== provider))) {
    const { status, ...finding } = await getFinding('fallback', () => checkAgent(checkout, other, base));
    // The first one may never need it.
    const detail = `${other}: ${finding.detail.replace(new RegExp(`^${other}[:,] `), '')}`;
    findings.push({ ...finding, detail, status: status === 'ok' ? 'ok' : 'warn' });
  }
  return findings;
}

async function checkAgent(checkout: Checkout, provider: string, base: string): Promise<Finding> {
  const { config, configFile, places } = checkout;
  const { command, script } = config.agent;
  if (provider === 'scripted') return checkScript(places.root, script ?? DEFAULT_SCRIPT);
  const owner = { workerId: 'doctor', random: createRandom() };
  const scriptPath = join(places.root, script ?? DEFAULT_SCRIPT);
  createAgent({ provider, command, scriptPath }, { owner, shell: createShell(owner), clock: createClock() });
  if (provider === 'claude' || provider === 'codex') return checkKit(provider, places.root, process.env);
  const line = command ?? '';
  const program = findMissingProgram(line, places.root);
  if (program !== null) {
    const fix = `install ${program}, or change agent.command in ${configFile}`;
    return { status: 'fail', detail: `${program} of "${line}" is not found`, fix };
  }
  const kit = provider === 'acp' ? checkKit('acp', places.root, process.env) : null;
  if (kit && kit.status !== 'ok') return kit;
  return (
    (await findUncommitted(line, places.root, base)) ??
    findTaken(checkout, provider) ??
    kit ?? { status: 'ok', detail: `${provider}: ${line}` }
  );
}

async function checkScript(root: string, script: string): Promise<Finding> {
  const path = isAbsolute(script) ? script : join(root, script);
  const found = await readAgentScript(path);
  if (found !== null) return { status: 'ok', detail: `scripted, playing ${script}` };
  const fix = `write ${script} (docs/agents.md), or set agent.provider to command`;
  return { status: 'warn', detail: `the scripted agent has no script at ${script}: it will do nothing`, fix };
}

/** A file of the project that the command names runs as it is committed, in the agent's worktree, or not at all. */
async function findUncommitted(line: string, root: string, base: string): Promise<Finding | null> {
  const words = getCommands(line).flatMap(command => command.map(({ value }, index) => ({ value, index })));
  for (const { value, index } of words) {
    const path = normalize(value);
    if (isAbsolute(path) || /^(\.\.|node_modules)\//.test(path) || !isFile(join(root, path))) continue;
    const git = async (...args: string[]) => await runGit(args, { cwd: root, env: getBaseEnv() });
    const there = (await git('ls-tree', base, '--', path).catch(() => null))?.stdout.toString() ?? '';
    const runs = 'the agent works in a tree of what is committed';
    if (there === '') {
      const detail = `${path} of "${line}" is not committed on ${base}: ${runs}`;
      return { status: 'warn', detail, fix: `git add ${path} && git commit` };
    }
    const changed = (await git('diff', '--name-only', base, '--', path)).stdout.toString();
    if (changed !== '') {
      const detail = `${path} of "${line}" has changes that are not committed on ${base}: ${runs}`;
      return { status: 'warn', detail, fix: `git commit ${path}` };
    }
    if (index === 0 && value.includes('/') && there.startsWith('100644')) {
      const detail = `${path} of "${line}" is committed as a file that cannot be run`;
      return { status: 'warn', detail, fix: `git update-index --chmod=+x ${path} && git commit` };
    }
  }
  return null;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Agents over ACP are told not to, and not all of them listen. */
function findTaken({ config, places }: Checkout, provider: string): Finding | null {
  const file = '.codex/config.toml';
  if (provider !== 'acp' || config.agent.trust_repo_settings || !existsSync(join(places.root, file)))
    return null;
  return {
    status: 'warn',
    detail: `${file}: Codex over ACP takes the settings of a repository whatever it is told`,
    fix: 'set agent.provider to codex, or agent.trust_repo_settings to true when you trust them',
  };
}
