/** Who works in a slot: what one starts must not be in the way of the other. */
export type SlotUse = 'agent' | 'verification';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** Below the ports that systems give out by themselves (32768 and up), above those that servers are known by. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const BLOCK_SIZE = 10;
const BLOCKS = (LAST_PORT - FIRST_PORT) / BLOCK_SIZE;

/** The TCP ports of a block. */
export function getBlockPorts(block: number): readonly number[] {
  return Array.from({ length: BLOCK_SIZE }, (_, at) => FIRST_PORT + block * BLOCK_SIZE + at);
}

/**
 * The block to try next, null when all were passed over. Where it begins to look depends on the hash of whose it is:
 * a slot gets the same ports again where it can, and projects that share a machine without knowing begin elsewhere.
 */
export function getNextBlock(hash: string, passedOver: ReadonlySet<number>): number | null {
  const start = Number.parseInt(hash.slice(0, 8), 16) % BLOCKS;
  for (let step = 0; step < BLOCKS; step++) {
    const block = (start + step) % BLOCKS;
    if (!passedOver.has(block)) return block;
  }
  return null;
}

export interface SlotFacts {
  /** Tells the project on this machine from all others that may use the same database server. */
  readonly project: string;
  readonly slot: number;
  readonly use: SlotUse;
  readonly block: number;
}

/** What the programs of a slot find in their environment. */
export function getSurroundings({ project, slot, use, block }: SlotFacts): Variables {
  const suffix = `${project}_${slot}${use === 'agent' ? '' : 'v'}`;
  const ports = getBlockPorts(block).map((port, at) => [getPortName(at), String(port)] as const);
  return {
    HARNESS_SLOT: String(slot),
    ...Object.fromEntries(ports),
    HARNESS_DB_SUFFIX: suffix,
    COMPOSE_PROJECT_NAME: `harness_${suffix}`,
  };
}

function getPortName(at: number): string {
  return at === 0 ? 'HARNESS_PORT' : `HARNESS_PORT_${at + 1}`;
}

/** What brings an environment up does so for the agent and for those who verify: theirs has names of its own. */
export function getEnvironmentSurroundings(agent: Variables, verification: Variables): Variables {
  const others = Object.entries(verification)
    .filter(([name]) => name !== 'HARNESS_SLOT')
    .map(([name, value]) => [`${OWN}VERIFICATION_${getWithoutOwn(name)}`, value] as const);
  return { ...agent, ...Object.fromEntries(others) };
}

/** How the names of our own variables begin. */
const OWN = 'HARNESS_';

function getWithoutOwn(name: string): string {
  return name.startsWith(OWN) ? name.slice(OWN.length) : name;
}
