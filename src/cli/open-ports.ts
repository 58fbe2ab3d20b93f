import { mkdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createAgent } from '../adapters/agents/create-agent.ts';
import { DEFAULT_SCRIPT } from '../adapters/agents/scripted.ts';
import { createArtifacts } from '../adapters/artifacts/artifacts.ts';
import { markGit } from '../adapters/git/mark-git.ts';
import { type RunGit, runGit } from '../adapters/git/run-git.ts';
import { openWorkspace } from '../adapters/git/workspace.ts';
import { createClock } from '../adapters/process/clock.ts';
import { createRandom } from '../adapters/process/random.ts';
import { createShell } from '../adapters/process/shell.ts';
import { createWorkers } from '../adapters/process/workers.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import { openStore } from '../adapters/store/open-store.ts';
import { createTests } from '../adapters/tests/run-tests.ts';
import type { Agent, Ports, Reporter } from '../ports.ts';
import type { Project } from './open-project.ts';

export interface PortOptions {
  readonly reporter: Reporter;
  readonly runGit?: RunGit;
  /** Reads every page of the store first; for commands that are about to write. */
  readonly quickCheck?: boolean;
}

/** The one place that puts real adapters behind the ports. */
export async function openPorts(project: Project, options: PortOptions): Promise<Ports> {
  const { config, policy, stateDir } = project;
  const tools = openTools(project, options);
  const artifacts = createArtifacts({ stateDir, budget: policy.budget });
  const { on_older_state, on_newer_state, backup_before_migrate } = config.compatibility;
  const store = await openStore({
    stateDir,
    quickCheck: options.quickCheck ?? false,
    onOlderState: on_older_state,
    onNewerState: on_newer_state,
    backupBeforeMigrate: backup_before_migrate,
  });
  await artifacts.catchUp(store);
  const { owner, shell, clock } = tools;
  return { ...tools, store, artifacts, agent: openAgent(project, { owner, shell, clock }) };
}

/** Ports to prove something again with: nothing is remembered, from before or for later, and no agent works. */
export function openProofPorts(project: Project, options: PortOptions): Ports {
  const tools = openTools(project, options);
  const refuse = async () => {
    throw new Error('a proof neither writes artifacts nor starts agents');
  };
  return {
    ...tools,
    store: createMemoryStore(tools.clock.nowMs, tools.random.token),
    artifacts: { write: refuse, project: refuse },
    agent: { provider: 'none', run: refuse },
  };
}

/** Everything but the records and the agent. */
function openTools(project: Project, options: PortOptions) {
  const { policy, repo } = project;
  const clock = createClock();
  const random = createRandom();
  const workers = createWorkers(random, hostname());
  const owner = { workerId: workers.self.id, random };
  const shell = createShell({ ...owner, ci: true });
  const git = markGit(options.runGit ?? runGit, workers.self.id);
  const workspace = openWorkspace({ repo, land: policy.land, runGit: git });
  const reports = join(workspace.home, 'reports');
  mkdirSync(reports, { recursive: true, mode: 0o700 });
  const tests = createTests(
    shell,
    () => join(reports, `${random.token()}.report`),
    path => readFile(path, 'utf8'),
    path => rm(path, { force: true }),
  );
  const { backlog } = project;
  return { owner, clock, random, workers, workspace, shell, tests, backlog, reporter: options.reporter };
}

function openAgent(project: Project, tools: Parameters<typeof createAgent>[1]): Agent {
  const { agent, logging } = project.config;
  const script = agent.script ?? DEFAULT_SCRIPT;
  return createAgent(
    {
      provider: agent.provider,
      command: agent.command,
      scriptPath: isAbsolute(script) ? script : join(project.root, script),
      passEnv: agent.env,
      readPrefixes: logging.structured_agent_output,
    },
    tools,
  );
}
