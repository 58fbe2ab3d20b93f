import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getWorkerPrefix } from '../../src/adapters/process/marker.ts';
import { findMarked } from '../../src/adapters/process/sweep.ts';
import { getIds, getWanted, isHopeless } from './cast.ts';
import { git, type Project } from './project.ts';
import { runHarness } from './run-harness.ts';

/** What is there in the morning; nothing in it is taken from what the harness says about itself, but its questions. */
export interface Morning {
  readonly proven: readonly number[];
  readonly escalated: readonly number[];
  /** Escalated though an agent could have done it, or neither proven nor before a person. */
  readonly unjustified: readonly number[];
  readonly falseDone: readonly number[];
  readonly lost: readonly string[];
  readonly doubled: readonly number[];
  readonly orphans: number;
  readonly auditCode: number | null;
}

export async function judgeNight(project: Project, tasks: number): Promise<Morning> {
  const clone = join(project.dir, 'clone');
  git(project, 'clone', '-q', '--template=', project.root, clone);
  const landings = readLandings({ ...project, root: clone });
  const marked = readMarked(clone);
  const asked = await readAsked(project);
  const ids = getIds(tasks);
  const proven = ids.filter(id => marked.has(id) && landings.has(id));
  const escalated = ids.filter(id => !marked.has(id) && asked.has(id));
  const settled = new Set([...proven, ...escalated]);
  return {
    proven,
    escalated,
    unjustified: ids.filter(id => !settled.has(id) || (escalated.includes(id) && !isHopeless(id))),
    falseDone: ids.filter(id => marked.has(id) && !isRight(clone, id)),
    doubled: ids.filter(id => (landings.get(id) ?? 0) > 1),
    lost: [...findLost(project), ...(await findLostLandings(project, landings))],
    orphans: await countOrphans(project),
    auditCode: (await runHarness(project, ['audit', '--json'])).code,
  };
}

function readLandings(project: Pick<Project, 'root' | 'env'>): Map<number, number> {
  const format =
    '--format=%(trailers:key=Harness-Task,valueonly,separator=) %(trailers:key=Harness-Proof,valueonly,separator=)';
  const landings = new Map<number, number>();
  for (const line of git(project, 'log', format, 'HEAD').split('\n')) {
    const [task = '', proof = ''] = line.trim().split(' ');
    if (proof !== '') landings.set(Number(task), (landings.get(Number(task)) ?? 0) + 1);
  }
  return landings;
}

function readMarked(clone: string): Set<number> {
  const { features } = JSON.parse(readFileSync(join(clone, 'features.json'), 'utf8')) as {
    features: { id: number; passes: boolean }[];
  };
  return new Set(features.filter(({ passes }) => passes).map(({ id }) => Number(id)));
}

async function readAsked(project: Project): Promise<Set<number>> {
  const { stdout } = await runHarness(project, ['inbox', '--json']);
  const { questions } = JSON.parse(stdout) as { questions: { task: string | null }[] };
  return new Set(questions.map(({ task }) => Number(task)));
}

/** The oracle: the part itself, asked from outside. */
function isRight(clone: string, id: number): boolean {
  const file = join(clone, `src/part-${id}.js`);
  if (!existsSync(file)) return false;
  const program = `import(${JSON.stringify(file)}).then(m => console.log(JSON.stringify([...Array(20).keys()].map(x => m.part${id}(x)))))`;
  try {
    const said = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', stdio: 'pipe' });
    return said.trim() === JSON.stringify([...Array(20).keys()].map(x => getWanted(id, x)));
  } catch {
    return false;
  }
}

/** The person's own things: files that were not committed, and a stash. */
function findLost(project: Project): string[] {
  const files = Object.entries(project.own).filter(([path, text]) => {
    const file = join(project.root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  const stashes = git(project, 'stash', 'list').split('\n').length;
  return [...files.map(([path]) => path), ...(stashes === 1 ? [] : ['the stash'])];
}

async function findLostLandings(project: Project, landings: ReadonlyMap<number, number>): Promise<string[]> {
  const told = await readLog<{ task: string }>(project, 'task.landed');
  return told.filter(({ task }) => !landings.has(Number(task))).map(({ task }) => `the landing of ${task}`);
}

async function countOrphans(project: Project): Promise<number> {
  const workers = await readLog<{ worker: { id: string } }>(project, 'worker.started');
  return workers.flatMap(({ worker }) => findMarked(getWorkerPrefix(worker.id))).length;
}

async function readLog<T>(project: Project, type: string): Promise<T[]> {
  const { stdout } = await runHarness(project, ['log', '--type', type, '--limit', '100000', '--json']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as T);
}
