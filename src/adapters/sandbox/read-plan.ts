import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { HarnessError } from '../../core/failure.ts';
import { MACHINE_SECRETS } from './credentials.ts';
import { readHomePlan } from './home-plan.ts';
import { isInside, isReadable, readReal } from './real-path.ts';
import type { SandboxMount, SandboxPlan } from './sandbox-plan.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/** What is to run, as far as the sandbox has to know it. */
export interface SandboxVisit {
  readonly cwd: string;
  /** PATH of the process. */
  readonly path: string;
  /** A fresh folder of this run, made by us and removed by us. */
  readonly box: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly isCwdReadOnly?: boolean;
}

/** Looks at the machine as it is now and resolves what this process will see of it. */
export function readSandboxPlan(settings: SandboxSettings, visit: SandboxVisit): SandboxPlan {
  const places = readSharedPlaces(visit.box);
  const home = readHomePlan(settings, visit);
  const shared = places.map(({ at }) => at);
  const hidden = [...settings.hidden, ...home.covered, ...MACHINE_SECRETS.filter(isReadable)]
    .flatMap(readReal)
    .filter(path => !isAsWideAs(path, [...shared, ...home.opened]));
  const closed = [...shared, ...hidden];
  const views = [...settings.readable, ...visit.readable, ...getToolFolders(visit.path), '/etc/resolv.conf'];
  const mounts: readonly SandboxMount[] = [
    ...places,
    ...home.mounts,
    ...hidden.map(readCover),
    ...getViews(views.flatMap(readReal), closed, home.opened),
    ...[...settings.writable, ...visit.writable]
      .flatMap(readReal)
      .map(at => ({ kind: 'writable', at }) as const),
    { kind: visit.isCwdReadOnly ? 'read-only' : 'writable', at: checkTree(visit.cwd) },
  ];
  const isRoot = process.getuid?.() === 0;
  return { cwd: visit.cwd, network: settings.network, isRoot, mounts, features: settings.features };
}

/** Folders that everybody uses become the run's own, and the sockets of the machine's services go away. */
function readSharedPlaces(box: string): readonly SandboxMount[] {
  const shared = [...new Set(['/tmp', '/var/tmp', tmpdir()].flatMap(readReal))];
  const services = [...new Set(['/run', '/var/run', '/mnt/wslg'].flatMap(readReal))];
  return [
    ...shared.map((at, index) => {
      const from = join(box, `tmp-${index}`);
      mkdirSync(from, { recursive: true, mode: 0o700 });
      return { kind: 'private', at, from } as const;
    }),
    ...services.map(at => ({ kind: 'empty-folder', at }) as const),
  ];
}

function readCover(at: string): SandboxMount {
  return { kind: lstatSync(at).isDirectory() ? 'empty-folder' : 'empty-file', at };
}

/**
 * Windows onto what would otherwise be out of sight because it lies in a closed place. None may be as
 * wide as a place that was made private or is hidden: it would bring back all that is in there.
 */
function getViews(
  paths: readonly string[],
  closed: readonly string[],
  opened: readonly string[],
): readonly SandboxMount[] {
  return paths
    .filter(path => closed.some(place => isInside(path, place)))
    .filter(path => !isAsWideAs(path, [...closed, ...opened]))
    .map(at => ({ kind: 'read-only', at }));
}

function isAsWideAs(path: string, places: readonly string[]): boolean {
  return places.some(place => place === path || isInside(place, path));
}

/** Programs may live below a folder that becomes private, such as a Node unpacked in /tmp. */
function getToolFolders(path: string): readonly string[] {
  const folders = [...path.split(':'), dirname(process.execPath)].filter(isAbsolute);
  return folders.flatMap(folder => (folder.endsWith('/bin') ? [folder, dirname(folder)] : [folder]));
}

/** An agent that replaced its own folder by a link would have us open the link's target to it. */
function checkTree(cwd: string): string {
  if (lstatSync(cwd).isDirectory() && realpathSync(cwd) === cwd) return cwd;
  throw new HarnessError('environment', `${cwd} is reached through a link, so nothing is started in it`, {
    file: cwd,
    fix: 'Use a folder whose path holds no links.',
  });
}
