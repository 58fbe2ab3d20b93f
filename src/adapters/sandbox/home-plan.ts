import { copyFileSync, lstatSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { AGENT_HOMES, CREDENTIALS, hasSecret, SETTINGS_WITH_SECRETS } from './credentials.ts';
import { type Elsewhere, openElsewhere } from './elsewhere.ts';
import { BUILD_CACHES, type OwnHome, readOwnHome } from './own-home.ts';
import { isInside, openFolder, readReal, readText } from './real-path.ts';
import type { BwrapFeatures, NetworkAccess, SandboxMount } from './sandbox-plan.ts';

export interface HomePlan {
  readonly mounts: readonly SandboxMount[];
  /** Laid out entry by entry; whatever shows one of them whole would show what was left out. */
  readonly opened: readonly string[];
  /** What lies outside and is only linked to from the home folder, or lies deep in it. */
  readonly covered: readonly string[];
}

/** The home folder as the process will see it: read-only, without credentials, open for new files. */
export function readHomePlan(
  settings: SandboxSettings,
  { box, cwd }: { readonly box: string; readonly cwd: string },
): HomePlan {
  const home = readHome(settings.home);
  if (home === null) return { mounts: [], opened: [], covered: [] };
  const own = settings.agents.flatMap(name => AGENT_HOMES[name] ?? []);
  const secrets = readSecrets(settings, home);
  const writable = own.flatMap(agent => agent.writable).flatMap(name => readReal(join(home, name)));
  const visited = settings.getOwnHome?.(cwd) ?? null;
  const taken = [...settings.writable, ...settings.hidden].flatMap(readReal);
  const isTaken = (path: string) => taken.some(other => path === other || isInside(path, other));
  const place = readOwnHome(home, visited, isTaken);
  const caches = BUILD_CACHES.map(name => join(home, name)).filter(path => !isTaken(path));
  const opened = new Set([
    home,
    ...place.opened,
    ...readFolders(caches.map(dirname)).filter(path => !place.leftOut.includes(path)),
    ...own
      .flatMap(agent => agent.folders.flatMap(name => readReal(join(home, name))))
      .filter(folder => !writable.includes(folder)),
    ...secrets.filter(path => isInside(path, home) && !lstatSync(path).isDirectory()).map(dirname),
  ]);
  const copied = new Set(own.flatMap(agent => agent.copied.map(name => join(home, name))));
  const leftOut = new Set([...secrets, ...opened, ...copied, ...caches, ...place.leftOut]);
  const toOwn = (folder: string, index: number): string =>
    visited?.use === 'kept' ? join(visited.dir, folder.slice(home.length)) : join(box, `home-${index}`);
  const mounts = [...opened].flatMap((folder, index) =>
    openFolder(folder, toOwn(folder, index), path => leftOut.has(path)),
  );
  const elsewhere = (settings.elsewhere ?? [])
    .filter(({ dir }) => !isTaken(dir))
    .flatMap(each => (visited ? openElsewhere(each, visited, box) : []));
  for (const path of copied) copyIfThere(path, join(toOwn(home, 0), path.slice(home.length)));
  return {
    opened: [...opened, ...elsewhere.filter(({ kind }) => kind === 'private').map(({ at }) => at)],
    mounts: [
      ...mounts,
      ...place.mounts,
      ...elsewhere,
      ...writable.map(at => ({ kind: 'writable', at }) as const),
    ],
    covered: secrets.filter(path => !opened.has(dirname(path))),
  };
}

/** Those that are folders and no links. */
function readFolders(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter(path => readReal(path)[0] === path && lstatSync(path).isDirectory());
}

/** Every credential there is, where it really is. */
export function readSecrets(
  settings: Pick<SandboxSettings, 'writable' | 'readable' | 'agents'>,
  home: string,
): readonly string[] {
  const wanted = new Set([...settings.writable, ...settings.readable].flatMap(readReal));
  const others = Object.entries(AGENT_HOMES).filter(([name]) => !settings.agents.includes(name));
  const names = [...CREDENTIALS, ...others.flatMap(([, agent]) => [...agent.folders, ...agent.copied])];
  const leaks = SETTINGS_WITH_SECRETS.filter(name => hasSecret(readText(join(home, name))));
  const found = [...names, ...leaks].flatMap(name => readReal(join(home, name)));
  return [...new Set(found)].filter(path => !wanted.has(path) && path !== home);
}

/** Null for a service user without a home folder. */
function readHome(path: string): string | null {
  const [home] = isAbsolute(path) ? readReal(path) : [];
  return home === undefined || home === '/' || !lstatSync(home).isDirectory() ? null : home;
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // Nothing to copy.
  }
}

/** What a project wants of its sandbox; paths are absolute but not yet resolved. */
export interface SandboxSettings {
  /** The whole path of bubblewrap. */
  readonly bwrap: string;
  readonly features: BwrapFeatures;
  readonly network: NetworkAccess;
  readonly home: string;
  /** Places that must not be seen: records, git directories, other worktrees. */
  readonly hidden: readonly string[];
  /** Places that must be seen although something around them is hidden. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The home folder beside a tree, by the tree; null anywhere else. */
  readonly getOwnHome?: (cwd: string) => OwnHome | null;
  /** Folders of toolchains outside the home folder in which installs write. */
  readonly elsewhere?: readonly Elsewhere[];
  /** Folders and files of a tree that are not shown, relative to it. */
  readonly denied?: readonly string[];
  /** Programs that cannot be started, by name. */
  readonly deniedPrograms?: readonly string[];
  /** Agents whose own folders are given to this process; everybody else's stay away. */
  readonly agents: readonly string[];
}
