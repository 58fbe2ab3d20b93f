import { createHasher } from '../../src/adapters/process/hasher.ts';
import type { Agent, Hasher, Sockets } from '../../src/ports/index.ts';

/** Ports that nobody listens on. */
export const simSockets: Sockets = { project: 'sim', findTaken: async () => [] };

/** Slots begin to look for ports where others do, instead of anywhere: they are in one another's way in every night. */
export function createSimHasher(): Hasher {
  const hasher = createHasher(null, 'sim');
  const sha256 = (text: string): string => {
    const [, slot] = /^sim (\d+) (?:agent|verification)$/.exec(text) ?? [];
    return slot === undefined ? hasher.sha256(text) : String(Number(slot) % STARTS).padStart(8, '0');
  };
  return { ...hasher, sha256 };
}

const STARTS = 3;

/** Who has agents at work, and on which ports. */
export class PortWatch {
  readonly found: string[] = [];
  readonly #users = new Map<string, string>();
  readonly #isAtWork: (worker: string) => Promise<boolean>;

  constructor(isAtWork: (worker: string) => Promise<boolean>) {
    this.#isAtWork = isAtWork;
  }

  /** The agent of a worker; a port that it shares with another one on its host is noted, while both have a right to work. */
  watch(agent: Agent, { id, host }: { readonly id: string; readonly host: string }): Agent {
    return {
      ...agent,
      run: async (request, onEvent) => {
        const { HARNESS_PORT: port = '' } = request.surroundings ?? {};
        const key = `${host}:${port}`;
        const other = this.#users.get(key);
        if (port !== '' && other !== undefined && (await this.#isAtWork(other)) && (await this.#isAtWork(id)))
          this.found.push(`port ${port} of host ${host} was given to ${other} and to ${id}`);
        this.#users.set(key, id);
        const result = await agent.run(request, onEvent);
        if (this.#users.get(key) === id) this.#users.delete(key);
        return result;
      },
    };
  }
}
