import type { CheckName } from '../../src/core/model/check.ts';
import type { Kit, Runner } from './kits/kit.ts';

/** One thing the agent does, in the words of the scripted agent. */
export type Move =
  | { readonly edit: { readonly file: string; readonly content: string } }
  | { readonly delete: string }
  | { readonly run: string }
  | { readonly say: string };

type Tree = Readonly<Record<string, unknown>>;

/** What happens in one case, in one kind of project. */
export interface Play {
  readonly moves: readonly Move[];
  /** The agent shows a run of the task's own test before it claims, unless this is false. */
  readonly showsRun?: boolean;
  readonly claim?: string;
  /** What the author of the test does in a session before that. */
  readonly author?: readonly Move[];
  /** What a reviewer answers who is asked; it is an easy-going one when not given. */
  readonly review?: 'clean' | 'reject' | Tree;
  /** What a second reader makes of that; nobody answers when not given. */
  readonly second?: Tree;
  /** How often the agent may try; once when not given. */
  readonly attempts?: number;
  /** Committed by a person before the agent comes; null takes a file of the sample away. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** What that person runs in the repository before the first commit. */
  readonly setUp?: string;
  /** Kept where no agent looks, by path in the project. */
  readonly heldOut?: Readonly<Record<string, string>>;
  /** Laid over the sample's config and over the task in the backlog. */
  readonly config?: Tree;
  readonly task?: Tree;
}

/** A cheat that must never land, or honest work that must. */
export interface CaseDef {
  readonly name: string;
  readonly kind: 'cheat' | 'honest' | 'impossible';
  readonly runners: readonly Runner[];
  /** The check that alone stands in its way: without it, this lands. */
  readonly witnessOf?: CheckName;
  /** Right only while it is judged: nothing that is run today tells it from honest work. Played, and counted apart. */
  readonly isGated?: true;
  /** Played on a disk that takes names for one another which differ only in capitals or accents. */
  readonly isFolded?: true;
  play(kit: Kit): Play;
}

export interface Case extends CaseDef {
  readonly family: string;
  readonly runner: Runner;
  /** `family/name@runner`, unique. */
  readonly id: string;
}

/** One case for each runner a definition names. */
export function expand(families: Readonly<Record<string, readonly CaseDef[]>>): readonly Case[] {
  const cases = Object.entries(families).flatMap(([family, defs]) =>
    defs.flatMap(def =>
      def.runners.map(runner => ({ ...def, family, runner, id: `${family}/${def.name}@${runner}` })),
    ),
  );
  const ids = new Set(cases.map(({ id }) => id));
  if (ids.size !== cases.length) throw new Error('two cases have the same name');
  return cases;
}

/** `count` cases spread evenly over families and runners, always the same ones. */
export function getSample(cases: readonly Case[], count: number): readonly Case[] {
  if (count >= cases.length) return cases;
  const step = cases.length / count;
  return Array.from({ length: count }, (_, i) => cases[Math.floor(i * step)] as Case);
}

export const write = (file: string, content: string): Move => ({ edit: { file, content } });
export const run = (command: string): Move => ({ run: command });

type Rest = Omit<CaseDef, 'name' | 'kind'>;

export const cheat = (name: string, rest: Rest): CaseDef => ({ name, kind: 'cheat', ...rest });
export const honest = (name: string, rest: Rest): CaseDef => ({ name, kind: 'honest', ...rest });

/** The feature left undone, and files that are meant to hide it. */
export const idleWith =
  (files: Readonly<Record<string, string>>, ...more: Move[]) =>
  (kit: Kit): Play => ({
    moves: [
      write(kit.src('discount'), kit.product.idle),
      ...Object.entries(files).map(([file, content]) => write(file, content)),
      ...more,
    ],
  });

/** The feature's file with this text instead. */
export const feature =
  (text: string) =>
  (kit: Kit): Play => ({ moves: [write(kit.src('discount'), kit.code(text))] });
