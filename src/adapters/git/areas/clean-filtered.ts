import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { getObjectId, writeObjects } from '../objects/write-objects.ts';
import { expectOk, type GitContext } from '../repo/context.ts';
import { type Area, runArea } from './area.ts';
import { getFile, readFilled, readSha256 } from './filled.ts';
import {
  type FilterSettings,
  getObjectPath,
  getPointer,
  getPointerText,
  readFiltered,
  readFilterSettings,
} from './filtered.ts';
import { type IndexEntry, listEntries } from './index-file.ts';
import { BASE_REF } from './nested-repos.ts';

/**
 * Puts into the index what git would have of files behind filters: those that are as they were laid out stay what
 * they were, and new contents of Git LFS become pointers, with the content in the user's store. What only a
 * filter's program could turn into a blob cannot be part of any work here.
 */
export async function cleanFiltered(ctx: GitContext, area: Area): Promise<void> {
  await restoreUnchanged(ctx, area);
  const index = readFileSync(area.indexFile);
  const filtered = await readFiltered(ctx, area, index);
  if (filtered.length === 0) return;
  const changed = await readChanged(ctx, area);
  const settings = await readFilterSettings(ctx);
  const cleaned: IndexEntry[] = [];
  for (const file of filtered) {
    if (!changed.has(file.path)) continue;
    const name = Buffer.from(file.path, 'latin1').toString('utf8');
    if (file.driver === 'lfs') cleaned.push(...(await getLfsEntry(ctx, area, file, settings)));
    else if (settings.smudging.has(file.driver)) throw getRefusal(name, file.driver);
  }
  await putEntries(ctx, area, cleaned);
}

async function restoreUnchanged(ctx: GitContext, area: Area): Promise<void> {
  const filled = readFilled(area);
  const paths = new Set(Object.keys(filled));
  if (paths.size === 0) return;
  const entries = listEntries(readFileSync(area.indexFile), ctx.repo.objectFormat, paths);
  const isSame = ({ path, id }: IndexEntry): boolean =>
    id !== filled[path]?.id && readSha256(getFile(area, path)) === filled[path]?.sha256;
  const same = entries.filter(isSame).map(entry => ({ ...entry, id: filled[entry.path]?.id ?? entry.id }));
  await putEntries(ctx, area, same);
}

/** Paths whose content is another than in the commit the slot was prepared with. */
async function readChanged(ctx: GitContext, area: Area): Promise<ReadonlySet<string>> {
  const args = ['diff-index', '--cached', '--raw', '--no-renames', '--diff-filter=AM', '-z', BASE_REF];
  const listed = expectOk(ctx, 'comparing with the base', await runArea(ctx, area, args));
  const words = listed.toString('latin1').split('\0');
  const isOther = (facts: string): boolean => facts.split(' ')[2] !== facts.split(' ')[3];
  return new Set(words.filter((_, at) => at % 2 === 1 && isOther(words[at - 1] ?? '')));
}

/** A pointer stays the text it is, and so does an empty file. */
async function getLfsEntry(
  ctx: GitContext,
  area: Area,
  file: IndexEntry,
  { lfsStorage }: FilterSettings,
): Promise<readonly IndexEntry[]> {
  const content = readFileSync(getFile(area, file.path));
  if (content.length === 0 || getPointer(content.toString('latin1', 0, 2_048)) !== null) return [];
  const oid = createHash('sha256').update(content).digest('hex');
  const body = Buffer.from(getPointerText({ oid, size: content.length }));
  const path = getObjectPath(lfsStorage, oid);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.harness`, content);
    renameSync(`${path}.harness`, path);
  }
  await writeObjects(ctx, [{ type: 'blob', body }]);
  return [{ ...file, id: getObjectId(ctx.repo.objectFormat, { type: 'blob', body }) }];
}

async function putEntries(ctx: GitContext, area: Area, entries: readonly IndexEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ mode, id, path }) => `${mode.toString(8)} ${id}\t${path}\0`);
  const input = Buffer.from(lines.join(''), 'latin1');
  const result = await runArea(ctx, area, ['update-index', '-z', '--index-info'], { input });
  expectOk(ctx, 'recording files behind filters', result);
}

function getRefusal(path: string, driver: string): HarnessError {
  return new HarnessError('unproven', `${path} passes through the filter ${driver}, which is not run here`, {
    file: path,
    fix: `put ${path} back as it was, and leave it to a person: only their own git can turn it into what is committed`,
  });
}
