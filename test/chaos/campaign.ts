import type { Harm } from './failpoints.ts';
import type { Plan, RoundReport } from './run-round.ts';
import { SCENES, type Scene } from './scenes.ts';

/** Where a failpoint was seen first: the way there can be gone again. */
interface Sighting {
  readonly scene: Scene;
  /** The kills before the run that came past it; empty when a healthy run does. */
  readonly after: readonly string[];
  readonly count: number;
}

const KILLS_PER_ROUND = 5;
const TIMED_EVERY = 6;
const LONGEST_MS = 900;
const MAX_MISSES = 4;
const SOMETIMES = 0.25;
const OFTEN = 0.6;
/** Calls of another machine that are made again; a layout is begun anew by the next run. */
const CAN_BE_CUT =
  /^(pg\.(?!begin|commit|layout).*:(before|sent|after)|git\.(push|fetch|ls-remote)@.*:(before|after))$/;

/**
 * Decides where to kill next. Every failpoint that any run has come past is killed at, the ones that
 * only a recovery comes past too; after the first kill of a round, the restarts are killed as well.
 */
export class Campaign {
  readonly killedAt = new Map<string, number>();
  readonly #sightings = new Map<string, Sighting>();
  /** How many restarts came past each name. */
  readonly #inRestarts = new Map<string, number>();
  readonly #planned = new Set<string>();
  readonly #misses = new Map<string, number>();
  readonly #random: () => number;
  readonly #scenes: readonly Scene[];
  #rounds = 0;
  #restarts = 0;

  constructor(seed: number, scenes: readonly Scene[] = SCENES) {
    this.#random = createRandom(seed);
    this.#scenes = scenes;
  }

  /** Failpoints that have been seen and not been killed at yet. */
  get open(): readonly string[] {
    return [...this.#sightings.keys()].filter(name => !this.killedAt.has(name) && !this.#isGivenUp(name));
  }

  get seen(): number {
    return this.#sightings.size;
  }

  /** The next round; a short one where only what is still open matters. */
  next(isShort: boolean): Plan {
    const round = this.#rounds++;
    const scene = this.#scenes[round % this.#scenes.length] as Scene;
    if (round < this.#scenes.length || this.#sightings.size === 0) return { scene, kills: [] };
    if (!isShort && round % TIMED_EVERY === 0) return { scene, kills: this.#getTimes() };
    const target =
      this.open.find(name => !this.#planned.has(name)) ?? this.#pick([...this.#sightings.keys()]);
    const sighting = this.#sightings.get(target) as Sighting;
    this.#planned.add(target);
    const hit = 1 + Math.floor(this.#random() * (this.killedAt.has(target) ? sighting.count : 1));
    const kills = [...sighting.after, `${target}#${hit}`];
    const length = isShort ? 1 : KILLS_PER_ROUND;
    while (kills.length < length && this.#restarts > 0) kills.push(this.#getRestartKill());
    return { scene: sighting.scene, kills };
  }

  /**
   * A round in which something else than a kill happens, twice if the second run comes past the place; null where it
   * cannot happen.
   */
  nextHarm(harm: Exclude<Harm, 'kill'>): Plan | null {
    const names = [...this.#sightings].filter(
      ([name, { after }]) => after.length === 0 && (harm !== 'cut' || CAN_BE_CUT.test(name)),
    );
    if (names.length === 0) return null;
    const [target, sighting] = names[Math.floor(this.#random() * names.length)] as [string, Sighting];
    const getOrder = (name: string, hit: number): string => `${harm}@${this.#getAmount(harm)}:${name}#${hit}`;
    const hit = 1 + Math.floor(this.#random() * sighting.count);
    const second =
      this.#restarts > 0 && harm !== 'cut'
        ? [getOrder(this.#getRestartKill().split('#')[0] as string, 1)]
        : [];
    return { scene: sighting.scene, kills: [getOrder(target, hit), ...second] };
  }

  #getAmount(harm: Harm): number {
    if (harm === 'cut') return 0;
    if (harm === 'fill') return Math.floor(this.#random() ** 3 * 300);
    if (harm === 'step' && this.#random() < 0.3) return -Math.round(this.#random() * 7_200);
    return 61 + Math.round(this.#random() * 7_200);
  }

  /** Learns from a round what can be reached, and how. */
  note({ plan, killedAt, passed }: RoundReport): void {
    passed.forEach((counts, run) => {
      if (run > 0) this.#restarts++;
      for (const [name, count] of counts) {
        if (run > 0) this.#inRestarts.set(name, 1 + (this.#inRestarts.get(name) ?? 0));
        if (this.#sightings.has(name)) continue;
        this.#sightings.set(name, { scene: plan.scene, after: killedAt.slice(0, run), count });
      }
    });
    for (const kill of killedAt)
      this.killedAt.set(getName(kill), (this.killedAt.get(getName(kill)) ?? 0) + 1);
    for (const kill of plan.kills) this.#planned.delete(getName(kill));
    const missed = plan.kills[killedAt.length];
    if (missed) this.#misses.set(getName(missed), (this.#misses.get(getName(missed)) ?? 0) + 1);
  }

  /** One that many restarts come past, so that the plan is likely to be carried out to its end. */
  #getRestartKill(): string {
    const getNames = (share: number): string[] =>
      [...this.#inRestarts].filter(([, times]) => times >= this.#restarts * share).map(([name]) => name);
    const fresh = getNames(SOMETIMES).filter(name => !this.killedAt.has(name) && !this.#planned.has(name));
    const name = this.#pick(fresh.length > 0 ? fresh : getNames(OFTEN));
    this.#planned.add(name);
    return `${name}#1`;
  }

  /** Kills from outside, at any moment; every other one takes the running git along. */
  #getTimes(): string[] {
    return Array.from({ length: KILLS_PER_ROUND }, (_, at) => {
      const ms = Math.round(this.#random() * LONGEST_MS);
      return `${at % 2 === 0 ? '@' : '@@'}${ms}`;
    });
  }

  #isGivenUp(name: string): boolean {
    return (this.#misses.get(name) ?? 0) >= MAX_MISSES;
  }

  #pick(names: readonly string[]): string {
    return names[Math.floor(this.#random() * names.length)] as string;
  }
}

function getName(kill: string): string {
  return (kill.split('#')[0] as string).replace(/^[a-z]+@-?\d+:/, '');
}

/** Small and repeatable (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
