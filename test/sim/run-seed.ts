import { createMemoryStore } from '../../src/adapters/store/memory-store.ts';
import type { WorkerRef } from '../../src/core/model/facts.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import { getTaskResource } from '../../src/core/model/world.ts';
import { type Lanes, runLoop } from '../../src/loop/loop.ts';
import type { Ports, Store, Workers } from '../../src/ports/index.ts';
import { wrapStore } from '../support/bench.ts';
import { type Breakage, breakAgentPorts, breakGit, breakStore } from './breakages.ts';
import { Witness } from './invariants.ts';
import { judgeMoney } from './money-invariants.ts';
import { Chance } from './random.ts';
import { createSimClock, Scheduler } from './scheduler.ts';
import { createSimAgent } from './sim-agent.ts';
import { createSimArtifacts } from './sim-artifacts.ts';
import { type Crew, getBudgetOfNight, getCrew, TURN_USD } from './sim-crew.ts';
import { SimGit } from './sim-git.ts';
import { answerSomething } from './sim-person.ts';
import { simPolicy } from './sim-policy.ts';
import { type Faults, SimProcess } from './sim-process.ts';
import { addTask, createProjectFiles, createSimTests, removeTask, simBacklog } from './sim-project.ts';
import { createSimHasher, PortWatch, simSockets } from './sim-sockets.ts';

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly kills: number;
  readonly trace: readonly string[];
}

/** How much may go wrong before the night calms down and everything has to come to rest. */
const MAX_KILLS = 12;
const MAX_WAKES = 15_000;
/** Lanes look more often, and there are more of them. */
const MAX_WAKES_OF_LANES = 150_000;
/** How often somebody answers once everything rests, and everybody goes on. */
const MORNINGS = 3;
const MAX_STARTS = 200;

/** Plays one night from a seed: two to ten workers, faults, a person who commits in between. */
export async function runSeed(seed: number, breakage: Breakage | null = null): Promise<SeedResult> {
  const night = new Night(seed, breakage);
  return night.play();
}

class Night {
  readonly #seed: number;
  readonly #breakage: Breakage | null;
  readonly #chance: Chance;
  readonly #person: Chance;
  readonly #scheduler = new Scheduler();
  readonly #git: SimGit;
  readonly #store: Store;
  readonly #deposed = new Set<string>();
  readonly #witness: Witness;
  readonly #processes = new Map<string, SimProcess>();
  readonly #trace: string[] = [];
  readonly #sameHost: boolean;
  readonly #crew: Crew;
  readonly #policy: Policy;
  readonly #maxWakes: number;
  readonly #reaped = new Set<string>();
  readonly #artifacts = createSimArtifacts();
  readonly #ports: PortWatch;
  #starts = 0;
  #kills = 0;
  #resting = 0;

  constructor(seed: number, breakage: Breakage | null) {
    this.#seed = seed;
    this.#breakage = breakage;
    this.#chance = new Chance(seed);
    this.#person = new Chance(seed + 0x5bd1);
    this.#crew = getCrew(seed);
    this.#policy = { ...simPolicy, testsBy: 'separate-author', budget: getBudgetOfNight(seed) };
    this.#git = new SimGit(createProjectFiles(this.#chance, new Chance(seed + 0xc011), getCount(this.#crew)));
    breakGit(this.#git, breakage);
    this.#sameHost = this.#chance.happens(0.5);
    this.#maxWakes = this.#crew.some(lanes => lanes > 1) ? MAX_WAKES_OF_LANES : MAX_WAKES;
    this.#ports = new PortWatch(worker => this.#isAtWork(worker));
    let token = 0;
    const memory = createMemoryStore(
      () => this.#scheduler.nowMs,
      () => `t${++token}`,
    );
    this.#witness = new Witness();
    this.#store = this.#witness.watch(this.#noteDeposed(breakStore(memory, breakage, this.#chance)));
  }

  async play(): Promise<SeedResult> {
    this.#plan();
    this.#planAnswers();
    this.#planOrphans();
    let cameToRest = await this.#work();
    for (let i = 0; cameToRest && i < MORNINGS; i++) {
      const said = await this.#answer();
      if (said === null) break;
      this.#say(`user answers ${said} in the morning`);
      cameToRest = await this.#work();
    }
    const events = await this.#store.read({});
    this.#witness.judge(events, this.#git, cameToRest);
    const { totalUsd } = this.#policy.budget;
    const money = judgeMoney(events, { totalUsd, turnUsd: TURN_USD, lanes: getCount(this.#crew) });
    const violations = [...this.#witness.violations, ...this.#ports.found, ...money];
    return { seed: this.#seed, violations, kills: this.#kills, trace: this.#trace };
  }

  /** Everybody begins; false when they have not come to rest in time. */
  #work(): Promise<boolean> {
    this.#resting = 0;
    for (const index of this.#crew.keys()) this.#start(index);
    return this.#scheduler.run(() => this.#isAtRest(), this.#maxWakes);
  }

  #isAtRest(): boolean {
    return this.#resting === this.#crew.length;
  }

  /** Now and then a person commits something, adds a task or takes one out. */
  #plan(): void {
    const commits = this.#chance.below(10);
    for (let i = 0; i < commits; i++) {
      this.#scheduler.after(this.#chance.below(300_000), () => {
        if (this.#isAtRest()) return;
        const deed = this.#chance.pick(['commits', 'commits', 'adds a task', 'removes a task'] as const);
        this.#git.userCommit(files => {
          if (deed === 'adds a task') addTask(files);
          else if (deed === 'removes a task') removeTask(files);
          else files[`notes-${i}`] = 'by hand';
        });
        this.#say(`user ${deed}`);
      });
    }
  }

  /** And looks into the inbox, by chances of their own: who commits when does not hang on it. */
  #planAnswers(): void {
    const own = this.#person;
    for (let i = own.below(20); i > 0; i--) {
      this.#scheduler.after(own.below(900_000), () => {
        if (this.#isAtRest()) return;
        void this.#answer().then(said => said && this.#say(`user answers ${said}`));
      });
    }
  }

  /** And a worker of another machine takes a task and dies before it could say so. */
  #planOrphans(): void {
    const own = new Chance(this.#seed + 0x1ea5);
    for (let i = own.below(8); i > 0; i--) {
      const resource = getTaskResource(String(1 + own.below(5)));
      this.#scheduler.after(own.below(1_500_000), () => {
        if (this.#isAtRest()) return;
        void this.#store.acquire({ resource, owner: 'gone', ttlMs: simPolicy.leaseMs });
      });
    }
  }

  /** Somebody who cannot read the record answers nothing; that it cannot be read is for the witness to say. */
  async #answer(): Promise<string | null> {
    try {
      return await answerSomething(this.#store, this.#policy, this.#person);
    } catch (error) {
      this.#say(`user cannot answer: ${String(error)}`);
      return null;
    }
  }

  #start(index: number): void {
    if (++this.#starts > MAX_STARTS) return;
    const self: WorkerRef = {
      id: `w${index}-${this.#starts}`,
      host: this.#sameHost ? 'a' : `h${index}`,
      pid: this.#starts,
      startTicks: '1',
    };
    const calm = this.#kills >= MAX_KILLS;
    const faults: Faults = calm ? { kill: 0, slow: 0, stall: 0 } : { kill: 0.006, slow: 0.05, stall: 0.003 };
    const process = new SimProcess(self, this.#scheduler, this.#chance, faults);
    this.#processes.set(self.id, process);
    this.#say(`${self.id} starts`);
    process.onKill = where => {
      this.#kills++;
      this.#say(`${self.id} is killed at ${where}`);
      this.#scheduler.after(1_000 + this.#chance.below(100_000), () => this.#start(index));
    };
    const options = {
      maxSessions: null,
      onlyTask: null,
      signal: new AbortController().signal,
      version: 'sim',
      // In two of three nights whoever starts finds a state that was saved not long ago.
      saveEvery: this.#seed % 3 === 0 ? Number.POSITIVE_INFINITY : 1 + (this.#seed % 40),
      lanes: this.#getLanes(process, this.#crew[index] ?? 1),
    };
    runLoop(process.wrap(this.#createPorts(process, self)), this.#policy, options).then(
      report => {
        this.#resting++;
        this.#say(`${self.id} rests: ${report.why}`);
      },
      (error: unknown) => {
        this.#say(`${self.id} stops: ${error instanceof Error ? error.message : String(error)}`);
        process.isDead = true;
        this.#scheduler.after(5_000, () => this.#start(index));
      },
    );
  }

  #getLanes(process: SimProcess, count: number): Lanes | undefined {
    if (count === 1) return undefined;
    let opened = 0;
    const open = async (lane: number): Promise<Ports> => {
      const self: WorkerRef = { ...process.self, id: `${process.self.id}.${lane}-${++opened}`, lane };
      this.#processes.set(self.id, process);
      return process.wrap(this.#createPorts(process, self));
    };
    return { count, verifiers: 2, open };
  }

  #createPorts(process: SimProcess, self: WorkerRef): Ports {
    const ports: Ports = {
      store: this.#store,
      clock: createSimClock(this.#scheduler),
      random: { token: () => `r${this.#chance.below(1e9)}` },
      workers: this.#createWorkers(process, self),
      workspace: this.#git.createWorkspace(),
      backlog: simBacklog,
      shell: { run: async () => ({ exitCode: 0, timedOut: false, output: '', durationMs: 0 }) },
      tests: createSimTests(this.#git),
      agent: this.#ports.watch(
        createSimAgent(this.#git, this.#scheduler, this.#chance, () => this.#reaped.has(self.id)),
        self,
      ),
      sockets: simSockets,
      artifacts: this.#artifacts,
      hasher: createSimHasher(),
      reporter: {
        event: stored =>
          this.#say(
            `${self.id} records ${stored.event.type} ${'task' in stored.event ? stored.event.task : ''}`,
          ),
        agent: () => undefined,
        phase: () => undefined,
      },
    };
    return breakAgentPorts(ports, this.#breakage, this.#git);
  }

  #createWorkers(process: SimProcess, self: WorkerRef): Workers {
    return {
      self,
      check: async worker => {
        if (worker.host !== process.self.host) return 'unknown';
        return this.#processes.get(worker.id)?.isDead ? 'dead' : 'alive';
      },
      reap: async worker => {
        const other = this.#processes.get(worker.id);
        if (!other?.isDead && (await this.#isAtWork(worker.id)))
          this.#witness.violations.push(`${worker.id} was reaped while it was at work`);
        if (other && worker.host === process.self.host) this.#reaped.add(worker.id);
        return 0;
      },
    };
  }

  /** The same store; whoever loses a lease to somebody else is remembered. */
  #noteDeposed(store: Store): Store {
    const note = async <R extends { readonly ok: boolean }>(
      taken: { readonly resource: string; readonly owner: string } | undefined,
      take: () => Promise<R>,
    ): Promise<R> => {
      const before = (await store.leases()).find(({ resource }) => resource === taken?.resource);
      const result = await take();
      if (result.ok && before && before.owner !== taken?.owner) this.#deposed.add(before.owner);
      return result;
    };
    return wrapStore(store, {
      acquire: request => note(request, () => store.acquire(request)),
      append: request => note(request.acquire, () => store.append(request)),
    });
  }

  /** One lease that ran out, or that somebody else has, is enough to make a worker give up all it does. */
  async #isAtWork(workerId: string): Promise<boolean> {
    if (this.#deposed.has(workerId)) return false;
    const leases = (await this.#store.leases()).filter(lease => lease.owner === workerId);
    return leases.length > 0 && leases.every(lease => lease.expiresAtMs > this.#scheduler.nowMs);
  }

  #say(text: string): void {
    this.#trace.push(`${((this.#scheduler.nowMs - 1_700_000_000_000) / 1000).toFixed(1)}s ${text}`);
  }
}

/** How many work in all. */
function getCount(crew: Crew): number {
  return crew.reduce((sum, lanes) => sum + lanes, 0);
}
