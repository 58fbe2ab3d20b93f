import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { writeAtomic } from '../../../adapters/artifacts/write-atomic.ts';
import { findPlaces, getWhere } from '../../../app/project/open-checkout.ts';
import { getBacklogCodec } from '../../../backlog/codec.ts';
import { writeBacklog } from '../../../backlog/edit/convert.ts';
import { writeBundle } from '../../../backlog/folder-workspace.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { ParsedBacklog } from '../../../ports/index.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

const TARGET = 'features.json';

export interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

/** `harness import`: another tool's tasks as features.json, done ones marked done. */
export async function importBacklog(io: Io, path: string, options: ImportOptions): Promise<void> {
  const { root } = await findPlaces(getWhere(io, options.repo));
  const { project, tasks, warnings } = readForeign(resolve(io.cwd, path));
  const text = writeBacklog('features', project || basename(root), tasks).get(TARGET) ?? '';
  const done = tasks.filter(task => task.passes).length;
  const unproven = tasks.filter(({ def, passes }) => !passes && !def.testFile && !def.validation);
  if (!options.dryRun) writeNew(join(root, TARGET), text);
  for (const warning of warnings) io.err(`note: ${warning}`);
  if (unproven.length > 0) {
    const ids = unproven.map(task => task.def.id).join(', ');
    io.err(`note: nothing can prove ${ids} yet: give each a test_file or a validation`);
  }
  const next = options.dryRun
    ? `harness import ${path}`
    : `git add ${TARGET} && git commit -m "Import the backlog"`;
  if (options.json) {
    const written = options.dryRun ? null : TARGET;
    io.out(JSON.stringify({ tasks: tasks.length, done, written, unproven: unproven.length, next }));
  } else if (options.dryRun) io.out(text.trimEnd());
  else io.out(`${tasks.length} tasks, ${done} of them done → ${TARGET}\nnext: ${next}`);
}

function readForeign(path: string): ParsedBacklog {
  if (!existsSync(path)) {
    const fix = 'name a task list, or a folder of Markdown plans';
    throw new HarnessError('usage', `there is no ${path}`, { file: path, field: 'path', fix });
  }
  const isFolder = statSync(path).isDirectory();
  const codec = getBacklogCodec(isFolder ? 'plans' : path, { fileName: path, requireTestFile: false });
  return codec.parse(isFolder ? readPlans(path) : readFileSync(path, 'utf8'));
}

function readPlans(dir: string): string {
  const names = readdirSync(dir).filter(name => /\.md$/i.test(name) && !/^readme\.md$/i.test(name));
  if (names.length === 0) {
    const fix = 'name the folder that has the NNNN-….md files';
    throw new HarnessError('backlog', `${dir} holds no Markdown plans`, { file: dir, fix });
  }
  return writeBundle(Object.fromEntries(names.map(name => [name, readFileSync(join(dir, name), 'utf8')])));
}

/** Nothing that is there is ever written over. */
export function writeNew(path: string, text: string): void {
  if (existsSync(path)) {
    const fix = 'move it away first, or look at the result with --dry-run';
    throw new HarnessError('usage', `${path} is there already`, { file: path, fix });
  }
  writeAtomic(path, text, { durable: true });
}
