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

/** Runs a probe with its settings as they were and as they are changed, and says which of them could be told. */
export async function runProbe(probe: Probe, stage: Stage, settings: readonly string[]): Promise<Finding[]> {
  const startMs = performance.now();
  const [before, after] = [await observe(probe, 'from', stage), await observe(probe, 'to', stage)];
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

async function observe(probe: Probe, side: 'from' | 'to', stage: Stage): Promise<string> {
  const config = Object.entries(probe.change).reduce<object>(
    (all, [setting, change]) => {
      const value = change[side];
      return value === undefined ? all : merge(all, nest(setting, value));
    },
    merge(SAMPLE, probe.with ?? {}),
  );
  const project = stage.project({ ...probe.files, '.harness.yaml': JSON.stringify(config, null, 2) });
  await probe.prepare?.(project);
  const said: string[] = [];
  for (const args of probe.run ?? [['run']]) {
    const { code, text } = await project.harnessIn(probe.env ?? {}, ...args);
    said.push(`$ harness ${args.join(' ')}`, text, `exit ${code}`);
  }
  return [...said, (await probe.look?.(project)) ?? ''].join('\n');
}
