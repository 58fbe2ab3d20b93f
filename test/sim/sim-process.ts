import type { WorkerRef } from '../../src/core/model/facts.ts';
import type { Agent, Ports } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** How likely each misfortune is, per call of a port. */
export interface Faults {
  readonly kill: number;
  readonly slow: number;
  readonly stall: number;
}

/** One process of the harness: it can die at any await, and a dead process does nothing more, ever. */
export class SimProcess {
  readonly self: WorkerRef;
  isDead = false;
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #faults: Faults;
  #calls = 0;
  onKill: (where: string) => void = () => undefined;

  constructor(self: WorkerRef, scheduler: Scheduler, chance: Chance, faults: Faults) {
    this.self = self;
    this.#scheduler = scheduler;
    this.#chance = chance;
    this.#faults = faults;
  }

  /** The same ports, with the process's own fate before and after every call. */
  wrap(ports: Ports): Ports {
    return {
      ...ports,
      store: this.#wrapAll('store', ports.store),
      workspace: this.#wrapAll('workspace', ports.workspace),
      tests: this.#wrapAll('tests', ports.tests),
      artifacts: this.#wrapAll('artifacts', ports.artifacts),
      workers: ports.workers,
      agent: this.#wrapAgent(ports.agent),
    };
  }

  #wrapAll<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as unknown;
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          await this.#fate(`${name}.${String(key)} before`);
          const result = (await Reflect.apply(method, target, args)) as unknown;
          await this.#fate(`${name}.${String(key)} after`);
          return result;
        };
      },
    });
  }

  #wrapAgent(agent: Agent): Agent {
    return {
      provider: agent.provider,
      run: async (request, onEvent) => {
        await this.#fate('agent.run before');
        const result = await agent.run(request, onEvent);
        await this.#fate('agent.run after');
        return result;
      },
    };
  }

  async #fate(where: string): Promise<void> {
    if (this.isDead) await new Promise<never>(() => undefined);
    if (this.#chance.happens(this.#faults.kill)) {
      this.isDead = true;
      this.onKill(where);
      await new Promise<never>(() => undefined);
    }
    if (this.#chance.happens(this.#faults.stall))
      await this.#scheduler.sleep(90_000 + this.#chance.below(60_000));
    else if (this.#chance.happens(this.#faults.slow)) await this.#scheduler.sleep(this.#chance.below(3_000));
    else if (++this.#calls % 16 === 0) await this.#scheduler.sleep(0);
    if (this.isDead) await new Promise<never>(() => undefined);
  }
}
