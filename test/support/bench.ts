import { createHasher, getSha256 } from '../../src/adapters/process/hasher.ts';
import { createMemoryStore } from '../../src/adapters/store/memory-store.ts';
import type { Agent, Ports, ShellResult, Store, TestRequest, Tests } from '../../src/ports/index.ts';
import { createSimClock, Scheduler } from '../sim/scheduler.ts';
import { SimGit } from '../sim/sim-git.ts';
import { createSimTests, simBacklog } from '../sim/sim-project.ts';
import { WORKER } from './pipeline.ts';

export type Files = Readonly<Record<string, string>>;

/** A run, and what it left in folders that were asked about. */
type Ran = Awaited<ReturnType<Tests['run']>>;

/** Every port in memory, and a record of what was asked of them. */
export interface Bench {
  readonly git: SimGit;
  readonly scheduler: Scheduler;
  readonly ports: Ports;
  /** `command @ directory`, in the order they were run. */
  readonly ran: string[];
  readonly written: Map<string, string>;
  readonly kept: Map<string, string>;
  /** What every commit said, with its time. */
  readonly made: string[];
}

export interface BenchOptions {
  /** Answers a test command; what it leaves out is that of the simulated project. */
  readonly answer?: (request: TestRequest, files: Files) => Partial<Ran> | undefined;
  readonly shell?: (command: string, cwd: string) => Partial<ShellResult>;
  readonly agent?: Agent['run'];
}

/** The same store with some of its methods replaced. */
export function wrapStore(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, key) => {
      const method = (Reflect.get(changes, key) ?? Reflect.get(target, key)) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** A project in memory whose base holds these files: `test/x` passes when `src/x` is good. */
export function createBench(files: Files, options: BenchOptions = {}): Bench {
  const git = new SimGit(files);
  const scheduler = new Scheduler();
  const ran: string[] = [];
  const written = new Map<string, string>();
  const kept = new Map<string, string>();
  const made: string[] = [];
  const workspace = git.createWorkspace();
  const tests = createSimTests(git);
  let tokens = 0;
  const ports: Ports = {
    store: createMemoryStore(
      () => scheduler.nowMs,
      () => `t${++tokens}`,
    ),
    clock: createSimClock(scheduler),
    random: { token: () => `r${++tokens}` },
    workers: { self: WORKER, check: async () => 'alive', reap: async () => 0 },
    workspace: {
      ...workspace,
      commit: async request => {
        made.push(`${request.atMs} ${request.message}`);
        return workspace.commit(request);
      },
      keep: async (name, commit) => {
        kept.set(name, commit);
      },
    },
    backlog: simBacklog,
    shell: {
      run: async ({ command, cwd }) => {
        ran.push(`${command} @ ${cwd}`);
        const nothing = { exitCode: 0, timedOut: false, output: '', durationMs: 0 };
        return { ...nothing, ...options.shell?.(command, cwd) };
      },
    },
    tests: {
      run: async request => {
        ran.push(`${request.command} @ ${request.dir}`);
        const answer = options.answer?.(request, git.filesIn(request.dir));
        return { ...(await tests.run(request)), ...answer };
      },
    },
    agent: {
      provider: 'sim',
      run: options.agent ?? (async () => Promise.reject(new Error('no agent was expected'))),
    },
    artifacts: {
      write: async (path, given) => {
        const content = String(given);
        written.set(path, content);
        return { path, sha256: getSha256(content) };
      },
      read: async ({ path, sha256 }) => {
        const content = written.get(path);
        return content !== undefined && getSha256(content) === sha256 ? content : null;
      },
      project: async () => undefined,
      openTranscript: async path => {
        const lines: string[] = [];
        const keep = () => written.set(path, lines.join(''));
        keep();
        return {
          add: ({ event }) => {
            lines.push(`${JSON.stringify(event)}\n`);
            keep();
          },
          close: async () => ({ path, sha256: '0' }),
        };
      },
      closeTranscript: async path => (written.has(path) ? { path, sha256: '0' } : null),
    },
    hasher: createHasher(null, '2.0'),
    reporter: { event: () => undefined, agent: () => undefined, phase: () => undefined },
  };
  return { git, scheduler, ports, ran, written, kept, made };
}
