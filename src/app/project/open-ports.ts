import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createAgent } from '../../adapters/agents/providers.ts';
import type { AgentSettings, AgentTools } from '../../adapters/agents/shared/provider.ts';
import { withAdvice } from '../../adapters/agents/shared/tool-events.ts';
import { createArtifacts } from '../../adapters/artifacts/artifacts.ts';
import { readCloneId } from '../../adapters/artifacts/clone-id.ts';
import { createBrowser } from '../../adapters/browser/browser.ts';
import { createContextFiles } from '../../adapters/context-files/context-files.ts';
import { markGit, type RunGit, runGit } from '../../adapters/git/repo/run-git.ts';
import { openWorkspace } from '../../adapters/git/workspace.ts';
import { createHeldOut } from '../../adapters/held-out/held-out.ts';
import { createSockets } from '../../adapters/machine/sockets.ts';
import { createToolboxes } from '../../adapters/mcp/toolbox.ts';
import { createClock } from '../../adapters/process/clock.ts';
import { createHasher } from '../../adapters/process/hasher.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createShell } from '../../adapters/process/shell.ts';
import { TOOLCHAIN } from '../../adapters/process/toolchain.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import { readSecrets, withRedaction } from '../../adapters/redaction/redaction.ts';
import { createSources } from '../../adapters/source/sources.ts';
import { createLock } from '../../adapters/store/lock.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { getStoreSecrets, withoutStoreLogins } from '../../adapters/store/postgres/login.ts';
import { openBuildCache } from '../../adapters/tests/build-cache.ts';
import { createFingerprint } from '../../adapters/tests/fingerprint.ts';
import { createTests } from '../../adapters/tests/run-tests.ts';
import { withBacklog } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { createRedactor, type Redactor } from '../../core/base/redact.ts';
import { getAllProviders } from '../../core/model/policy.ts';
import { getRefusal } from '../../core/shell/command-policy.ts';
import type {
  Agent,
  Browser,
  Containment,
  McpServer,
  Ports,
  Random,
  Reporter,
  Shell,
  Store,
  Tests,
} from '../../ports/index.ts';
import { createVet } from './landed/vet-landed.ts';
import type { Project } from './open-project.ts';
import { openJournal } from './open-record.ts';
import { getOwnProgram, openSandbox } from './open-sandbox.ts';
import { readWorkerName } from './worker-name.ts';

export interface PortOptions {
  readonly reporter: Reporter;
  readonly runGit?: RunGit;
}

/** One of several workers in a process: which, and what it shares with the others. */
interface LaneOptions extends PortOptions {
  readonly lane: number;
  readonly shared: Ports;
}

/** The one place that puts real adapters behind the ports; the store is closed with the project. */
export async function openPorts(project: Project, options: PortOptions | LaneOptions): Promise<Ports> {
  const { config, stateDir } = project;
  const { agentOwner, agentShell, testShell, ...tools } = await openTools(project, options);
  const { store, artifacts, redact } =
    'shared' in options ? options.shared : await openRecords(project, tools.clock.nowMs());
  const given = { owner: agentOwner, shell: agentShell, clock: tools.clock };
  const [agent, ...fallbacks] = await openAgents(project, given, tools.containment);
  const toolbox = createToolboxes(getToolServer);
  const browser = openBrowser(project, { ...tools, testShell });
  const { context_dir } = config.plan;
  const contextFiles = createContextFiles({
    inbox: join(stateDir, 'inbox'),
    contextDir: context_dir === null ? null : join(project.root, context_dir),
  });
  return {
    ...{ ...tools, store, artifacts, agent, fallbacks, toolbox, browser, contextFiles },
    ...(redact ? { redact } : {}),
  };
}

async function openRecords(project: Project, nowMs: number) {
  const { policy, stateDir, store: open } = project;
  const artifacts = createArtifacts({
    ...{ stateDir, rules: policy, logging: policy.logging },
    ...(policy.exclusive ? {} : { alone: createLock(join(stateDir, 'logs.lock')) }),
  });
  const store = await open({ quickCheck: true });
  await artifacts.catchUp(store, async seq => (await openJournal({ store: async () => store }, seq)).state);
  artifacts.prune(nowMs);
  return withRedaction({ store, artifacts }, createProjectRedactor(project));
}

/** Ports to prove something again with: nothing is remembered, from before or for later, and no agent works. */
export async function openProofPorts(
  project: Project,
  options: PortOptions & { readonly store?: Store; readonly startsApplication?: true },
): Promise<Ports> {
  const { agentOwner: _, agentShell: __, testShell, ...tools } = await openTools(project, options);
  const refuse = async () => {
    throw new Error('a proof neither writes artifacts nor starts agents');
  };
  return {
    ...tools,
    store: options.store ?? createMemoryStore(tools.clock.nowMs, tools.random.token),
    artifacts: {
      write: refuse,
      read: refuse,
      project: refuse,
      openTranscript: refuse,
      closeTranscript: refuse,
    },
    agent: { provider: 'none', run: refuse },
    redact: createProjectRedactor(project),
    ...(options.startsApplication ? { browser: openBrowser(project, { ...tools, testShell }) } : {}),
  };
}

function openBrowser(
  project: Project,
  {
    testShell,
    random,
    workspace,
  }: Pick<Awaited<ReturnType<typeof openTools>>, 'testShell' | 'random' | 'workspace'>,
): Browser {
  return createBrowser({
    ...{ shell: testShell, random, home: workspace.home, projectRoot: project.root },
    program: [process.execPath, getOwnProgram()],
  });
}

/** Everything but the records and the agent. */
async function openTools(project: Project, options: PortOptions & Partial<LaneOptions>) {
  const { policy, repo } = project;
  const clock = createClock();
  const random = createRandom();
  const workers = createWorkers(random, { ...getWorkerNames(project), lane: options.lane });
  const owner = { workerId: workers.self.id, random };
  const git = markGit(options.runGit ?? runGit, workers.self.id);
  const plain = openWorkspace({
    repo,
    land: policy.land,
    vet: createVet(project),
    runGit: git,
    ...(policy.environment.install ? {} : { keep: [] }),
  });
  const workspace = withBacklog(plain, policy);
  const sandbox = await openSandbox(project, workspace.home);
  const reporter = getReporter(options);
  const listeners = reporter.printed
    ? { onStdoutLine: reporter.printed, onStderrLine: reporter.printed }
    : {};
  const passEnv = getPassEnv(project);
  const setUp = { ...owner, ...listeners, ci: true, passEnv: passEnv.setUp };
  const shell = withProgress(createShell({ ...setUp, sandbox: sandbox.install }), reporter);
  const environment = withProgress(createShell({ ...setUp, sandbox: sandbox.environment }), reporter);
  const testing = { ...owner, ...listeners, ci: true, passEnv: passEnv.tests };
  const testShell = createShell({ ...testing, sandbox: sandbox.tests });
  const tests = openTests(testShell, workspace.home, random);
  const isApart = sandbox.tests !== undefined && project.config.sandbox.test_network === 'off';
  const fingerprint = createFingerprint({
    // Only asks programs of the machine for their versions, from outside any tree.
    shell: createShell({ ...owner, ci: true }),
    containment: isApart ? `${sandbox.containment.level} without a network` : sandbox.containment.level,
    env: process.env,
    seen: ['LANG', 'TZ', ...TOOLCHAIN, ...passEnv.tests],
  });
  const agentOwner = { ...owner, sandbox: sandbox.agent };
  return {
    ...{ clock, random, workers, workspace, shell, environment },
    tests: { ...withProgress(tests, reporter), fingerprint },
    sources: createSources(owner, project.root),
    heldOut: createHeldOut(getHeldOutDir(project)),
    backlog: project.backlog,
    hasher: createHasher(readConfig(project), repo.gitVersion),
    reporter,
    containment: sandbox.containment,
    sockets: createSockets(workers.self.host, project.stateDir),
    hasNoTestNetwork: isApart,
    // What is written outside is shared like a port.
    canTestSideBySide: isApart && project.config.sandbox.writable.length === 0 && availableParallelism() > 1,
    agentOwner,
    testShell,
    agentShell: createShell({ ...agentOwner, ci: true, passEnv: passEnv.setUp }),
  };
}

/** What a person calls the worker, and which clone it is in where several share the records. */
function getWorkerNames({ env, config, stateDir }: Project) {
  return { name: readWorkerName(env), clone: config.store.url === null ? undefined : readCloneId(stateDir) };
}

function openTests(shell: Shell, home: string, random: Random): Tests {
  const reports = join(home, 'reports');
  return createTests(
    shell,
    () => join(reports, random.token(), 'report'),
    path => removeReport(path, reports),
    { cache: openBuildCache(shell, join(home, 'build-cache')), program: [process.execPath, getOwnProgram()] },
  );
}

/** A lane's own, where there are several. */
function getReporter({ reporter, lane }: PortOptions & Partial<LaneOptions>): Reporter {
  return lane === undefined ? reporter : (reporter.lane?.(lane) ?? reporter);
}

/** One of ours has a folder to itself; any other lies where the project has it written. */
function removeReport(path: string, reports: string): Promise<void> {
  const dir = dirname(path);
  return dirname(dir) === reports ? rm(dir, { recursive: true, force: true }) : rm(path, { force: true });
}

/** Knows the secrets of the environment, of the project's own files, and the login of its store. */
function createProjectRedactor({ root, config }: Project): Redactor {
  return createRedactor([...readSecrets(process.env, [root]), ...getStoreSecrets(config.store.url)]);
}

/** Variables that the project names besides its toolchain's: for agents, setting up and tests. */
function getPassEnv({ config }: Project): Readonly<Record<'agents' | 'setUp' | 'tests', readonly string[]>> {
  const { agent, environment, testing } = config;
  const pass = (names: readonly string[]) => withoutStoreLogins(names, process.env, config.store.url);
  const setUp = pass(environment.env);
  return { setUp, agents: [...pass(agent.env), ...setUp], tests: [...setUp, ...pass(testing.env)] };
}

/** Nobody waits for a command without knowing which. */
function withProgress<Request extends { readonly command: string }, Result>(
  { run }: { run(request: Request): Promise<Result> },
  { command }: Reporter,
): { run(request: Request): Promise<Result> } {
  return {
    run: request => {
      const end = command?.(request.command);
      return run(request).finally(end);
    },
  };
}

/** The text of the settings in force; those that are a program are read as what they say, not what they import. */
function readConfig({ root, configFile, configText }: Project): { path: string; text: string } {
  return { path: configFile, text: configText ?? readFileSync(join(root, configFile), 'utf8') };
}

/** The harness's tools are this same program, started by the agent. */
function getToolServer(dir: string): McpServer {
  return { command: process.execPath, args: [getOwnProgram(), 'mcp', '--dir', dir], env: {} };
}

/** The agent and those to fall back on, each with prices for what it does not price itself. */
async function openAgents(
  project: Project,
  tools: AgentTools,
  containment: Containment,
): Promise<[Agent, ...Agent[]]> {
  const { policy, config } = project;
  const { getCostUsd, withPrices } = await import('../../adapters/prices/prices.ts');
  const own = Object.fromEntries(
    Object.entries(config.costs.prices).map(([model, price]) => [
      model,
      {
        inputPerMillion: price.input_per_million,
        outputPerMillion: price.output_per_million,
        cachedPerMillion: price.cached_per_million,
      },
    ]),
  );
  const { findInCommand } = await import('../../adapters/sandbox/shell-ast.ts');
  const find = (command: string) => findInCommand(command, config.tools.shell.denied_commands);
  const isContained = containment.level === 'bubblewrap';
  if (!isContained) refuseUncovered(project, containment);
  const refuse = (command: string) => getRefusal(find(command), isContained);
  const deny = (command: string) => getRefusal(find(command), true);
  const open = (provider: string): Agent =>
    withPrices(
      withAdvice(openAgent(project, provider, { refuse, deny }, tools), find),
      (usage, model) => getCostUsd(model ?? '', usage, own).costUsd,
    );
  const [first = 'scripted', ...others] = getAllProviders(policy);
  return [open(first), ...others.map(open)];
}

function openAgent(
  project: Project,
  provider: string,
  rules: Pick<AgentSettings, 'refuse' | 'deny'>,
  tools: AgentTools,
): Agent {
  const { agent, logging, tools: allowed } = project.config;
  return createAgent(
    provider,
    {
      command: agent.command,
      script: agent.script,
      passEnv: getPassEnv(project).agents,
      readPrefixes: logging.structured_agent_output,
      tracksFallback: logging.fallback_tracking,
      missingPrefixes: logging.require_prefixes
        ? 'refuse'
        : logging.warn_on_missing_prefixes
          ? 'warn'
          : 'ignore',
      projectRoot: project.root,
      shellTimeoutMs: allowed.shell.timeout_seconds * 1_000,
      hasShell: allowed.shell.enabled,
      trustRepo: agent.trust_repo_settings,
      ...rules,
    },
    tools,
  );
}

/** What was denied is refused to be left in sight. */
function refuseUncovered({ policy, configFile }: Project, { reason }: Containment): void {
  if (policy.files.denied.length === 0) return;
  const denied = policy.files.denied.join(', ');
  const message = `tools.filesystem.denied_paths keeps ${denied} from agents, which takes the sandbox, and ${reason}`;
  throw new HarnessError('environment', message, {
    file: configFile,
    field: 'tools.filesystem.denied_paths',
    fix: 'Install bubblewrap (apt install bubblewrap), or take these paths out and use verification.protected.',
  });
}

/** Where agents cannot see it: outside the repository, or in the state directory. */
function getHeldOutDir({ config, root, stateDir, configFile }: Project): string {
  const { held_out } = config.verification;
  if (held_out === null) return join(stateDir, 'held-out');
  const dir = resolve(root, held_out);
  const isInside = (folder: string): boolean => !relative(folder, dir).startsWith('..');
  if (!isInside(root) || isInside(stateDir)) return dir;
  throw new HarnessError(
    'config',
    `verification.held_out (${held_out}) lies in the repository, where agents see it`,
    {
      file: configFile,
      field: 'verification.held_out',
      fix: 'Move the folder out of the repository, or leave the setting out and use held-out in the state directory.',
    },
  );
}
