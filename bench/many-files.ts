import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPorts } from '../src/app/project/open-ports.ts';
import { openProject, type Project } from '../src/app/project/open-project.ts';
import type { Ports } from '../src/ports/index.ts';
import { TestRuns } from '../src/testruns/test-runs.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureUntilSure, type Report, type Timing } from './result.ts';
import { runSetup } from './sample-repo.ts';
import { getChangedPath, getSource, writeSuiteRepo } from './suite-repo.ts';
import { runPlain, SILENT, SLOT, time, verify } from './suite-verdict.ts';

const FILES_PER_FOLDER = 500;

/** Candidate and verdict of a change with very many new files over twice what git takes for them, plus one suite. */
export async function measureManyFiles(options: BenchOptions): Promise<Report> {
  const { dir, quick } = options;
  const files = quick ? 2_000 : 20_000;
  const place = join(dir, 'many-files');
  const [repo, twin] = [join(place, 'project'), join(place, 'twin')];
  writeSuiteRepo(repo, { files: 40, tasks: 9 });
  runSetup(place, 'clone', '-q', '--local', repo, twin);
  process.env.HARNESS_CACHE_DIR = join(place, 'cache');
  const project = await openProject({ cwd: repo, env: process.env });
  const ports = await openPorts(project, { reporter: SILENT });
  try {
    const tip = await ports.workspace.tip();
    const signal = new AbortController().signal;
    await new TestRuns({ ports, policy: project.policy, slot: SLOT, signal }).baseline(tip.tree);
    await runPlain(twin);
    let task = 0;
    const measure = async (): Promise<Timing[]> => {
      options.say(`  ${files} new files, ${++task}`);
      const oursMs = [await measureOurs(ports, project, task, files)];
      const floorMs = [await measureFloor(twin, task, files)];
      return [{ name: `candidate-and-verdict-${files}-files`, limit: 1, oursMs, floorMs }];
    };
    return { floors: [], results: await measureUntilSure(measure, options.say) };
  } finally {
    await ports.store.close();
  }
}

async function measureOurs(ports: Ports, project: Project, task: number, files: number): Promise<number> {
  const { workspace, backlog } = ports;
  const { backlogPath } = project.policy;
  const tip = await workspace.tip();
  const { dir } = await workspace.prepare(SLOT, tip.commit);
  writeWork(dir, task, files);
  const before = (await workspace.readFile(tip.commit, backlogPath)) ?? '';
  writeFileSync(join(dir, backlogPath), backlog.setPasses(before, String(task), true));
  return time(async () => {
    const { tree } = await workspace.snapshot(SLOT);
    const commit = await workspace.commit({ tree, parent: tip.commit, message: 'Work', atMs: 0 });
    await verify(ports, project, task, { commit, tree });
  });
}

/** Twice what git takes, as a candidate is written once and laid out once, and the suite. */
async function measureFloor(twin: string, task: number, files: number): Promise<number> {
  runSetup(twin, 'clean', '-qfd');
  runSetup(twin, 'reset', '-q', '--hard');
  writeWork(twin, task, files);
  const gitMs = await time(async () => {
    runSetup(twin, 'add', '-A');
    runSetup(twin, 'write-tree');
  });
  return 2 * gitMs + (await time(() => runPlain(twin)));
}

/** The task's change, and files of data that nobody has seen before. */
function writeWork(dir: string, task: number, files: number): void {
  writeFileSync(join(dir, getChangedPath(task)), getSource(task, 'done'));
  for (let at = 0; at < files; at++) {
    const folder = join(dir, 'data', `task-${task}`, String(Math.floor(at / FILES_PER_FOLDER)));
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.json`), `{ "task": ${task}, "at": ${at} }\n`);
  }
}
