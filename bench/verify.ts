import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPorts } from '../src/app/project/open-ports.ts';
import { openProject, type Project } from '../src/app/project/open-project.ts';
import type { Ports } from '../src/ports/index.ts';
import { TestRuns } from '../src/testruns/test-runs.ts';
import type { BenchOptions } from './bench-options.ts';
import { getMedian, measureUntilSure, type Report, type Timing } from './result.ts';
import { runSetup } from './sample-repo.ts';
import { getChangedPath, getSource, writeSuiteRepo } from './suite-repo.ts';
import { type Candidate, runPlain, SILENT, SLOT, time, verify } from './suite-verdict.ts';

const CHANGE_LIMIT = 1.25;
const AGAIN_LIMIT = 0.03;

/** One verification with all checks over one plain run of the same suite, and a second one over the first. */
export async function measureVerify(options: BenchOptions): Promise<Report> {
  const { dir, quick } = options;
  const files = quick ? 40 : 200;
  const place = join(dir, 'verify');
  const [repo, twin] = [join(place, 'project'), join(place, 'twin')];
  writeSuiteRepo(repo, { files, tasks: 9 });
  runSetup(place, 'clone', '-q', '--local', repo, twin);
  process.env.HARNESS_CACHE_DIR = join(place, 'cache');
  const project = await openProject({ cwd: repo, env: process.env });
  const ports = await openPorts(project, { reporter: SILENT });
  const plain: number[] = [];
  try {
    const tip = await ports.workspace.tip();
    const signal = new AbortController().signal;
    await new TestRuns({ ports, policy: project.policy, slot: SLOT, signal }).baseline(tip.tree);
    await runPlain(twin);
    let task = 0;
    const measure = async (): Promise<Timing[]> => {
      const times: Times = { plain: [], first: [], again: [] };
      for (let round = 0; round < (quick ? 2 : 3); round++) {
        options.say(`  a change of one file, ${++task}`);
        await measureRound(ports, project, twin, task, times);
      }
      plain.push(...times.plain);
      const change = { oursMs: times.first, floorMs: times.plain };
      const again = { oursMs: times.again, floorMs: times.first };
      return [
        { name: `verify-one-change-${files * 10}-tests`, limit: CHANGE_LIMIT, ...change },
        { name: 'verify-again', limit: AGAIN_LIMIT, ...again },
      ];
    };
    const results = await measureUntilSure(measure, options.say);
    const floor = { name: 'the suite alone', value: Math.round(getMedian(plain)), unit: 'ms' } as const;
    return { floors: [floor], results };
  } finally {
    await ports.store.close();
  }
}

type Times = Record<'plain' | 'first' | 'again', number[]>;

/** Who is first takes turns. */
async function measureRound(
  ports: Ports,
  project: Project,
  twin: string,
  task: number,
  times: Times,
): Promise<void> {
  const candidate = await makeCandidate(ports, project, task);
  writeFileSync(join(twin, getChangedPath(task)), getSource(task, 'done'));
  if (task % 2 === 0) times.plain.push(await time(() => runPlain(twin)));
  for (const lap of ['first', 'again'] as const)
    times[lap].push(await time(() => verify(ports, project, task, candidate)));
  if (task % 2 === 1) times.plain.push(await time(() => runPlain(twin)));
}

/** What a task's agent would leave: one changed file, and the flag. */
async function makeCandidate(ports: Ports, project: Project, task: number): Promise<Candidate> {
  const { workspace, backlog } = ports;
  const { backlogPath } = project.policy;
  const tip = await workspace.tip();
  const text = backlog.setPasses(
    (await workspace.readFile(tip.commit, backlogPath)) ?? '',
    String(task),
    true,
  );
  const put = [
    { path: getChangedPath(task), text: getSource(task, 'done') },
    { path: backlogPath, text },
  ];
  const tree = await workspace.compose({ tree: tip.tree, put });
  const commit = await workspace.commit({ tree, parent: tip.commit, message: 'Work', atMs: 0 });
  return { commit, tree };
}
