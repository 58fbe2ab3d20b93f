import { isDeepStrictEqual } from 'node:util';
import type { Stage } from '../seeds/stage.ts';
import type { Probe } from './probe.ts';
import { merge, nest } from './settings.ts';

export type Outcome = 'wired' | 'refused' | 'told' | 'nothing';

export interface Finding {
  readonly setting: string;
  readonly outcome: Outcome;
  /** What both runs printed, where nothing told them apart. */
  readonly reason: string;
  readonly seconds: number;
}

/** The sample's own, so that every run lands its first task. */
const SAMPLE = {
  project: { name: 'sample' },
  testing: { runner: 'command', full: 'sh test/all.sh', feature: 'sh {file}' },
  agent: { provider: 'scripted', script: 'agent.yaml' },
  verification: { require_evidence: false },
};

/** What was seen of each project, so that nothing is run twice: many probes begin with the same. */
export type Seen = { project: Project; text: Promise<string> }[];

/** Runs a probe with its settings as they were and as they are changed, and says which of them could be told. */
export async function runProbe(
  probe: Probe,
  stage: Stage,
  settings: readonly string[],
  seen: Seen = [],
): Promise<Finding[]> {
  const startMs = performance.now();
  const before = await see(getProject(probe, 'from'), stage, seen);
  const after = await see(getProject(probe, 'to'), stage, seen);
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  return Object.entries(probe.change)
    .filter(([setting]) => settings.includes(setting))
    .map(([setting, { tells }]) => {
      const isTold = tells.test(before) !== tells.test(after);
      const reason = isTold ? '' : `${tells} tells nothing apart\n── before\n${before}\n── after\n${after}`;
      return { setting, outcome: isTold ? getOutcome(setting, after) : 'nothing', reason, seconds };
    });
}

/** A setting may be refused, or said to do nothing yet; everything else changed what happened. */
function getOutcome(setting: string, text: string): Outcome {
  const lines = text.split('\n').filter(line => line.includes(setting));
  if (lines.some(line => line.includes('has no effect'))) return 'told';
  if (/^exit 2$/m.test(text) && lines.some(line => / (cannot|must) be /.test(line))) return 'refused';
  return 'wired';
}

type Project = Required<Pick<Probe, 'files' | 'env' | 'run'>> &
  Pick<Probe, 'prepare' | 'look'> & { readonly config: object };

/** One side of a probe, whole. */
function getProject(probe: Probe, side: 'from' | 'to'): Project {
  const { change, files = {}, env = {}, run = [['run']], prepare, look } = probe;
  const config = Object.entries(change).reduce<object>(
    (all, [setting, { [side]: value }]) => (value === undefined ? all : merge(all, nest(setting, value))),
    merge(SAMPLE, probe.with ?? {}),
  );
  return { config, files, env, run, ...(prepare && { prepare }), ...(look && { look }) };
}

/** What is alike in everything, hooks included, is run once. */
function see(project: Project, stage: Stage, seen: Seen): Promise<string> {
  const known = seen.find(one => isDeepStrictEqual(one.project, project));
  if (known) return known.text;
  const text = observe(project, stage);
  seen.push({ project, text });
  return text;
}

async function observe({ config, files, env, run, prepare, look }: Project, stage: Stage): Promise<string> {
  const project = stage.project({ ...files, '.harness.yaml': JSON.stringify(config, null, 2) });
  await prepare?.(project);
  const said: string[] = [];
  for (const args of run) {
    const { code, text } = await project.harnessIn(env, ...args);
    said.push(`$ harness ${args.join(' ')}`, text, `exit ${code}`);
  }
  return [...said, (await look?.(project)) ?? ''].join('\n');
}
