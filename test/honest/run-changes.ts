import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, playChange } from './play-change.ts';
import { openProject, type Project, readTree } from './project.ts';
import type { Ways } from './tree.ts';
import { getWays } from './ways.ts';

export interface Plan {
  readonly sources: readonly (readonly [name: string, source: string])[];
  readonly root: string;
  readonly program: string;
  readonly seed: string;
  readonly changes: number;
  readonly jobs: number;
  readonly keep: boolean;
  /** Nothing more is begun once this is aborted. */
  readonly signal: AbortSignal;
}

interface Opened {
  readonly project: Project;
  readonly ways: Ways;
}

/** A repository and how far it has come. */
interface Place {
  readonly name: string;
  readonly source: string;
  opened: Opened | null;
  played: number;
  spentMs: number;
  isBusy: boolean;
}

/** Plays change after change, next where the least time was spent: all repositories have a part from the start. */
export async function runChanges(
  plan: Plan,
  tell: (outcome: Outcome, number: number) => void,
): Promise<readonly Outcome[]> {
  let places = plan.sources.map(
    ([name, source]): Place => ({ name, source, opened: null, played: 0, spentMs: 0, isBusy: false }),
  );
  const outcomes: Outcome[] = [];
  let begun = 0;
  const take = (): Place | undefined =>
    places.filter(({ isBusy }) => !isBusy).sort((a, b) => a.spentMs - b.spentMs)[0];
  const work = async (): Promise<void> => {
    for (let place = take(); place && begun < plan.changes && !plan.signal.aborted; place = take()) {
      place.isBusy = true;
      const startedMs = performance.now();
      const { opened } = place;
      if (opened) {
        begun += 1;
        place.played += 1;
        const outcome = await play(opened, place.played, plan.seed);
        if (outcome === null) {
          begun -= 1;
          places = places.filter(one => one !== place);
        } else {
          outcomes.push(outcome);
          tell(outcome, outcomes.length);
        }
      } else {
        place.opened = await open(place, plan);
        if (place.opened === null) places = places.filter(one => one !== place);
      }
      place.spentMs += performance.now() - startedMs;
      place.isBusy = false;
    }
  };
  await Promise.all(Array.from({ length: plan.jobs }, work));
  if (!plan.keep)
    for (const { name } of places) rmSync(join(plan.root, name), { recursive: true, force: true });
  return outcomes;
}

/** A repository whose own tests do not pass here can say nothing. */
async function open({ name, source }: Place, { root, program }: Plan): Promise<Opened | null> {
  try {
    const project = await openProject(name, source, { root, program });
    const ways = getWays(await readTree(project), project.full);
    if (ways === null) throw new Error(`no test can be written here for ${project.full}`);
    if (project.install) {
      const { code, stderr } = await project.run(project.install);
      if (code !== 0) throw new Error(`${project.install}: ${stderr.slice(-300)}`);
    }
    const { code, stdout, stderr } = await project.run(project.full);
    if (code !== 0) throw new Error(`${project.full} is red: ${(stdout + stderr).slice(-300)}`);
    if ((await project.git('status', '--porcelain')) !== '')
      throw new Error('its tests change files that are in git');
    return { project, ways };
  } catch (error) {
    console.error(`left out: ${name}: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Where no change can be drawn, that is told, and the repository has no further part. */
async function play({ project, ways }: Opened, number: number, seed: string): Promise<Outcome | null> {
  try {
    return await playChange(project, ways, number, seed);
  } catch (error) {
    await project.git('reset', '-q', '--hard');
    console.error(`left out: ${project.name}: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
