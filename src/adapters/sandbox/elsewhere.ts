import { join } from 'node:path';
import { readStats } from '../process/remove-tree.ts';
import { isFilled, type OwnHome } from './own-home.ts';
import { isInside, openFolder, readReal } from './real-path.ts';
import type { SandboxMount } from './sandbox-plan.ts';

/** A toolchain's folder that is not in the home folder, as in images of rust and golang, and what it fetches into it. */
export interface Elsewhere {
  readonly dir: string;
  /** What stands for it in the home folder beside a tree. */
  readonly name: string;
  readonly caches: readonly string[];
}

const TOOLCHAINS: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ['registry', 'git', '.package-cache', '.package-cache-mutate', '.global-cache'],
  GOPATH: ['pkg'],
};

/** Those that variables name, where they are. */
export function findElsewhere(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly Elsewhere[] {
  return Object.entries(TOOLCHAINS).flatMap(([name, caches]) => {
    const [dir = ''] = readReal(env[name] ?? '');
    const isOutside =
      dir !== '' && dir !== '/' && dir !== home && !isInside(dir, home) && !isInside(home, dir);
    return isOutside && readStats(dir)?.isDirectory()
      ? [{ dir, name: `.${name.toLowerCase()}`, caches }]
      : [];
  });
}

/** An install fetches beside its tree, never into the user's; whatever runs there afterwards sees what it got. */
export function openElsewhere(
  { dir, name, caches }: Elsewhere,
  own: OwnHome,
  box: string,
): readonly SandboxMount[] {
  const ours = join(own.dir, name);
  const got = caches.filter(cache => isFilled(join(ours, cache)));
  const names = own.use === 'kept' ? caches : got;
  if (names.length === 0) return [];
  const leftOut = new Set(names.map(cache => join(dir, cache)));
  const from = own.use === 'kept' ? ours : join(box, `at-${name}`);
  const shown = own.use === 'kept' ? [] : got;
  return [
    ...openFolder(dir, from, path => leftOut.has(path)),
    ...shown.map(cache => ({ kind: 'shown', at: join(dir, cache), from: join(ours, cache) }) as const),
  ];
}
