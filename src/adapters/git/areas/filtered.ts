import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinBytes } from '../../process/remove-tree.ts';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import { getCheckoutEnv } from '../repo/git-env.ts';
import type { Area } from './area.ts';
import { GITLINK_MODE, type IndexEntry, listEntries } from './index-file.ts';

/** A tracked file that passes through a filter on its way to a checkout. */
export interface Filtered extends IndexEntry {
  readonly driver: string;
}

/** What the user's own settings say about filters. Their programs are never run here. */
export interface FilterSettings {
  /** Drivers that make other bytes of a blob when it is checked out. */
  readonly smudging: ReadonlySet<string>;
  /** Where Git LFS keeps contents. */
  readonly lfsStorage: string;
}

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

/** Files of an index whose attributes name a filter. Without the word in any attributes file no git is asked. */
export async function readFiltered(ctx: GitContext, area: Area, index: Buffer): Promise<readonly Filtered[]> {
  const entries = listEntries(index, ctx.repo.objectFormat);
  const own = join(ctx.repo.commonDir, 'info', 'attributes');
  const files = entries.filter(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  const places = [own, ...files.map(({ path }) => joinBytes(area.tree, Buffer.from(path, 'latin1')))];
  if (!places.some(place => readText(place).includes('filter'))) return [];
  const regular = entries.filter(({ mode }) => mode !== GITLINK_MODE && (mode & FILE_TYPE) === REGULAR);
  const input = Buffer.from(regular.map(({ path }) => `${path}\0`).join(''), 'latin1');
  const args = ['-c', `core.attributesFile=${own}`, 'check-attr', '--cached', '-z', '--stdin', 'filter'];
  const env = { GIT_INDEX_FILE: area.indexFile };
  const result = await runScratch(ctx, args, { input, env });
  const words = expectOk(ctx, 'reading the attributes', result).toString('latin1').split('\0');
  return regular.flatMap((entry, at) => {
    const driver = words[at * 3 + 2] ?? 'unspecified';
    return ['unspecified', 'unset', 'set'].includes(driver) ? [] : [{ ...entry, driver }];
  });
}

/** Reads which drivers the user has set up, wherever they did. `cat` is how to say that nothing is done. */
export async function readFilterSettings({ repo, run }: GitContext): Promise<FilterSettings> {
  const args = ['config', '-z', '--get-regexp', '^(filter\\..*\\.(smudge|process)|lfs\\.storage)$'];
  const env = getCheckoutEnv(repo.gitDir, repo.root);
  const result = await run(args, { cwd: repo.commonDir, env });
  const smudging = new Set<string>();
  let lfsStorage = 'lfs';
  for (const line of result.stdout.toString('utf8').split('\0')) {
    const [name = '', value = ''] = line.split(/\n(.*)/s);
    const driver = /^filter\.(.*)\.(?:smudge|process)$/s.exec(name)?.[1];
    if (name === 'lfs.storage' && value !== '') lfsStorage = value;
    else if (driver !== undefined && value !== '' && value !== 'cat') smudging.add(driver);
  }
  return {
    smudging,
    lfsStorage: lfsStorage.startsWith('/') ? lfsStorage : join(repo.commonDir, lfsStorage),
  };
}

function readText(path: string | Buffer): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** What git has of a file whose content Git LFS keeps elsewhere. */
export interface Pointer {
  readonly oid: string;
  readonly size: number;
}

/** Longer texts are none, by the format's own rule. */
export const MAX_POINTER_BYTES = 1024;

const VERSION = 'version https://git-lfs.github.com/spec/v1';

/** The pointer that a text is; null for any other text. */
export function getPointer(text: string): Pointer | null {
  if (text.length >= MAX_POINTER_BYTES || !text.startsWith(`${VERSION}\n`)) return null;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

export function getPointerText({ oid, size }: Pointer): string {
  return `${VERSION}\noid sha256:${oid}\nsize ${size}\n`;
}

/** Where a clone keeps that content, if it has it. */
export function getObjectPath(storage: string, oid: string): string {
  return join(storage, 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}
