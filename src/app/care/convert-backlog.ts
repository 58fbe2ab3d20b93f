import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { getBacklogCodec, isPlanFolder } from '../../backlog/codec.ts';
import { FORMATS, type Format, writeBacklog } from '../../backlog/edit/convert.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getBasis } from '../../core/model/task.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import { getBacklogRecord } from '../../core/views/backlog-record.ts';
import type { BacklogTask } from '../../ports/index.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { findGitDirs, openCheckout, type Where } from '../project/open-checkout.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';
import { readTasksFile } from '../project/plans-on-disk.ts';

export { FORMATS };

const TARGET = 'features.json';

export interface Imported {
  readonly tasks: number;
  readonly done: number;
  /** Null for a dry run. */
  readonly written: string | null;
  /** How many tasks nothing can prove yet. */
  readonly unproven: number;
  readonly notes: readonly string[];
  /** The backlog itself, for a dry run. */
  readonly text?: string;
  readonly next: string;
}

/** Makes another tool's tasks into features.json, done ones marked done. */
export async function importBacklog(
  where: Where,
  { path, cwd, dryRun = false }: { readonly path: string; readonly cwd: string; readonly dryRun?: boolean },
): Promise<Imported> {
  const { root } = await findGitDirs(where);
  const { codec, text: found } = readTasksFile(resolve(cwd, path), { requireTestFile: false });
  const { project, tasks: parsed, warnings } = codec.parse(found);
  const left = parsed.filter(({ def }) => getBasis(def) === null);
  // Our own format refuses what nothing decides; there a person is what decides.
  const tasks = parsed.map(task => (left.includes(task) ? leaveToPerson(task) : task));
  const text = writeBacklog('features', project || basename(root), tasks).get(TARGET) ?? '';
  const unproven = left.filter(({ passes }) => !passes);
  const ids = unproven.map(task => task.def.id).join(', ');
  if (!dryRun) writeNew(join(root, TARGET), text, isEmptyBacklog);
  return {
    tasks: tasks.length,
    done: tasks.filter(task => task.passes).length,
    written: dryRun ? null : TARGET,
    unproven: unproven.length,
    notes: [
      ...warnings,
      ...(ids
        ? [
            `nothing can prove ${ids} yet: give each a test_file or a validation in the place of verification_type: manual, by which a person decides`,
          ]
        : []),
    ],
    ...(dryRun ? { text } : {}),
    next: dryRun ? `harness import ${path}` : await getImportStep(where),
  };
}

function leaveToPerson(task: BacklogTask): BacklogTask {
  return { ...task, def: { ...task.def, verificationType: 'manual' } };
}

/** What is imported runs only where the configuration names it. */
async function getImportStep(where: Where): Promise<string> {
  const line = getCommitLine([TARGET], 'Import the backlog');
  const own = await openCheckout(where).catch(() => null);
  if (own === null || own.config.paths.features === TARGET) return line;
  const { config, configFile: file } = own;
  const key = config.plan.dir === config.paths.features ? 'plan.dir' : 'paths.features';
  const commit = getCommitLine([file, TARGET], 'Import the backlog');
  return `take ${key} out of ${file}, which names ${config.paths.features}; then ${commit}`;
}

export interface Exported {
  readonly tasks: number;
  readonly written: readonly string[];
}

/** Writes the committed backlog as another tool would have it. */
export async function exportBacklog(
  project: Project,
  { format, out, cwd }: { readonly format: Format; readonly out: string; readonly cwd: string },
): Promise<Exported> {
  const text = await readText(project);
  const { project: name, tasks } = project.backlog.parse(text);
  const dir = resolve(cwd, out);
  mkdirSync(dir, { recursive: true });
  const files =
    format === 'harness-tasks'
      ? [[HARNESS_TASKS_FILE, await writeWithRecord(project, text, tasks)] as const]
      : [...writeBacklog(format, name || project.policy.project, tasks)];
  for (const [file, text] of files) writeNew(join(dir, file), text);
  return { tasks: tasks.length, written: files.map(([file]) => relative(cwd, join(dir, file))) };
}

const HARNESS_TASKS_FILE = 'harness-tasks.json';

/** With what happened to its tasks; a file of that format stays as it is in everything else. */
async function writeWithRecord(
  project: Project,
  text: string,
  tasks: readonly BacklogTask[],
): Promise<string> {
  const codec = getBacklogCodec(HARNESS_TASKS_FILE);
  const { state } = await openJournal(project);
  const isOwn = basename(project.policy.backlogPath).toLowerCase() === HARNESS_TASKS_FILE;
  const plain = isOwn
    ? text
    : (writeBacklog('harness-tasks', '', tasks).get(HARNESS_TASKS_FILE) ?? '').replace(
        '"created": null',
        `"created": "${new Date(state.createdAtMs).toISOString().slice(0, 19)}Z"`,
      );
  return codec.keepRecord(plain, getBacklogRecord(state, Date.now(), null));
}

async function readText(project: Project): Promise<string> {
  const { text } = await readBacklogAtTip(project);
  const { backlogPath } = project.policy;
  if (text !== null || isPlanFolder(backlogPath)) return text ?? '';
  return readFileSync(join(project.root, backlogPath), 'utf8');
}

/** The file that `init` begins with says nothing that could be lost. */
function isEmptyBacklog(path: string): boolean {
  try {
    return getBacklogCodec(path).parse(readFileSync(path, 'utf8')).tasks.length === 0;
  } catch {
    return false;
  }
}

/** Nothing that is there is ever written over, but what holds nothing. */
function writeNew(path: string, text: string, isEmpty: (path: string) => boolean = () => false): void {
  if (existsSync(path) && !isEmpty(path)) {
    const fix = 'move it away first, or look at the result with --dry-run';
    throw new HarnessError('usage', `${path} already exists`, { file: path, fix });
  }
  writeAtomic(path, text, { durable: true });
}
