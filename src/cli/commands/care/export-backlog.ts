import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { isPlanFolder } from '../../../backlog/codec.ts';
import { type Format, writeBacklog } from '../../../backlog/edit/convert.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { writeNew } from './import-backlog.ts';

export interface ExportOptions extends CommonOptions {
  readonly format: Format;
  readonly out: string;
}

/** `harness export`: the committed backlog as another tool would have it. */
export async function exportBacklog(io: Io, options: ExportOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const { project: name, tasks } = project.backlog.parse(await readText(project));
  const dir = resolve(io.cwd, options.out);
  mkdirSync(dir, { recursive: true });
  const files = [...writeBacklog(options.format, name || project.policy.project, tasks)];
  for (const [file, text] of files) writeNew(join(dir, file), text);
  const written = files.map(([file]) => relative(io.cwd, join(dir, file)));
  if (options.json) io.out(JSON.stringify({ tasks: tasks.length, written }));
  else io.out(`${tasks.length} tasks → ${written.join(', ')}`);
}

async function readText(project: Project): Promise<string> {
  const { text } = await readBacklogAtTip(project);
  const { backlogPath } = project.policy;
  if (text !== null || isPlanFolder(backlogPath)) return text ?? '';
  return readFileSync(join(project.root, backlogPath), 'utf8');
}
