import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { getToolchainPaths } from '../../adapters/process/toolchain.ts';
import { AGENT_HOMES } from '../../adapters/sandbox/credentials.ts';
import { findElsewhere } from '../../adapters/sandbox/elsewhere.ts';
import type { OwnHome } from '../../adapters/sandbox/own-home.ts';
import { probeSandbox, type SandboxProbe } from '../../adapters/sandbox/probe.ts';
import { createSandbox } from '../../adapters/sandbox/sandbox.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getAllProviders } from '../../core/model/policy.ts';
import type { Containment, Sandbox } from '../../ports/index.ts';
import type { Project } from './open-project.ts';

export interface OpenSandbox {
  readonly containment: Containment;
  /** Undefined where there is only process containment. */
  readonly agent: Sandbox | undefined;
  readonly tests: Sandbox | undefined;
  /** Of installing dependencies, which runs what the tree brings along. */
  readonly install: Sandbox | undefined;
  /** Of the commands under `environment` and of clean-ups. */
  readonly environment: Sandbox | undefined;
}

/** The sandboxes of a project's agent, tests, installs and environment, or the plain word that there are none. */
export async function openSandbox(project: Project, workspaceHome: string): Promise<OpenSandbox> {
  const { sandbox } = project.config;
  const { bwrap, ...containment } = await readContainment(sandbox.mode);
  if (bwrap === null) {
    const reason = `${containment.reason}; ${OUTSIDE}`;
    return { containment: { ...containment, reason }, ...NO_SANDBOX };
  }
  const home = process.env.HOME ?? homedir();
  const agents = getHomes(getAllProviders(project.policy));
  const toPath = (path: string): string => resolve(project.root, path.replace(/^~(?=\/|$)/, home));
  const { root, mainRoot, commonDir, objectsDir } = project.repo;
  const elsewhere = findElsewhere(process.env, home);
  const shown = new Set([...sandbox.readable, ...sandbox.setup_readable].map(toPath));
  const logins = elsewhere.flatMap(({ dir }) => LOGINS.map(name => join(dir, name)));
  const shared = {
    bwrap: bwrap.path,
    features: bwrap.features,
    home,
    hidden: [
      ...[project.stateDir, getCacheDir(), workspaceHome, commonDir],
      ...[root, mainRoot].flatMap(findEnvFiles),
      ...sandbox.hidden.map(toPath),
      ...logins.filter(path => !shown.has(path)),
    ],
    // The agent starts this very program for the tools that the harness gives it.
    readable: [
      ...[root, mainRoot, objectsDir, dirname(getOwnProgram())],
      ...getToolchainPaths(process.env),
      ...sandbox.readable.map(toPath),
    ],
    writable: sandbox.writable.map(toPath),
    elsewhere,
  };
  const getOwnHome = (use: OwnHome['use']) => (cwd: string) => {
    const isTree = basename(cwd) === 'tree' && cwd.startsWith(`${workspaceHome}/`);
    return isTree ? { dir: join(dirname(cwd), 'home'), use } : null;
  };
  const seen = { ...shared, getOwnHome: getOwnHome('seen') };
  const setUp = { network: sandbox.setup_network ?? sandbox.network, agents: [] };
  const open = (paths: readonly string[]) => [...shared.readable, ...paths.map(toPath)];
  const { services } = sandbox;
  const reason = `${containment.reason}${services.length > 0 ? `; setting up could use ${services.join(', ')}` : ''}`;
  return {
    containment: { ...containment, reason },
    agent: createSandbox({
      ...{ ...seen, network: sandbox.network, agents },
      denied: project.policy.files.denied,
      deniedPrograms: getDeniedPrograms(project.config.tools.shell.denied_commands),
    }),
    tests: createSandbox({ ...seen, network: sandbox.test_network, agents: [] }),
    install: createSandbox({
      ...{ ...shared, ...setUp, getOwnHome: getOwnHome('kept') },
      readable: open(sandbox.setup_readable),
    }),
    environment: createSandbox({ ...seen, ...setUp, readable: open(services) }),
  };
}

/** Entries that are a program and nothing else. */
export function getDeniedPrograms(denied: readonly string[]): readonly string[] {
  return denied.filter(entry => /^[\w.+-]+$/.test(entry));
}

/** What a toolchain's own folder must not give away. */
const LOGINS = ['credentials', 'credentials.toml'];

/** Stands in every proof that was made so. */
const OUTSIDE = 'agents, tests, installs and the commands under environment ran with all rights of your user';

const NO_SANDBOX = { agent: undefined, tests: undefined, install: undefined, environment: undefined };

/** What the machine offers, as far as the project wants it. */
export async function readContainment(mode: 'auto' | 'off' | 'required'): Promise<SandboxProbe> {
  if (mode === 'off') return { level: 'process', reason: 'sandbox.mode is "off"', bwrap: null };
  const probe = await probeSandbox();
  if (probe.bwrap !== null || mode === 'auto') return probe;
  throw new HarnessError('environment', `sandbox.mode is "required", but ${probe.reason}`, {
    field: 'sandbox.mode',
    fix: 'Install bubblewrap (apt install bubblewrap), or set sandbox.mode to auto.',
  });
}

/** Whose logins are let in: those of the whole chain. A program of the user's own may start any agent. */
export function getHomes(providers: readonly string[]): readonly string[] {
  const homes = providers.flatMap(provider => {
    if (provider in AGENT_HOMES) return [provider];
    return provider === 'scripted' ? [] : Object.keys(AGENT_HOMES);
  });
  return [...new Set(homes)];
}

/** Settings with secrets that a project keeps out of git, so that no worktree has them either. */
export function findEnvFiles(root: string): readonly string[] {
  return readdirSync(root)
    .filter(name => /^\.env(rc$|\.|$)/.test(name) && !/\.(example|sample|template|dist)$/.test(name))
    .map(name => join(root, name));
}

/**
 * The `harness` program that this code belongs to: agents and browsers start it for the tools they are given. As a
 * library it is not what the process was started with; beside the sources there is none, and what was started counts.
 */
export function getOwnProgram(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [here, dirname(here)].map(dir => join(dir, 'harness.js')).find(path => existsSync(path));
  return built ?? process.argv[1] ?? 'harness';
}
