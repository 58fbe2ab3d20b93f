import { HarnessError } from '../../core/base/failure.ts';
import type { SandboxMount, SandboxPlan } from './sandbox-plan.ts';

/**
 * The arguments of bubblewrap for a plan. As root its own protection of /proc/sys is not enough: it
 * asks whether the folder is writable, while the files in it are root's; so they are covered here.
 */
export function getBwrapArgs(plan: SandboxPlan): string[] {
  const mounts = getOrderedMounts(plan.mounts);
  return [
    ...NAMESPACES,
    ...(plan.features.disableUserns ? ['--disable-userns'] : []),
    ...(plan.network === 'off' ? ['--unshare-net'] : []),
    ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...(plan.isRoot ? KERNEL_SWITCHES : []).flatMap(path => ['--ro-bind-try', path, path]),
    ...mounts.flatMap(getMountArgs),
    // Only now, as the places of deeper mounts had to be made in them.
    ...mounts.flatMap(mount => (mount.kind === 'empty-folder' ? ['--remount-ro', mount.at] : [])),
    ...['--chdir', plan.cwd],
  ];
}

const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
];

/** Parts of /proc that steer the whole machine and that root may write without any capability. */
const KERNEL_SWITCHES = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'scsi', 'mtrr'].map(
  name => `/proc/${name}`,
);

/** Parents first, one mount per place, none that changes nothing. */
export function getOrderedMounts(mounts: readonly SandboxMount[]): readonly SandboxMount[] {
  const places = new Map<string, SandboxMount>();
  for (const mount of mounts) {
    const known = places.get(mount.at);
    if (!known || RANK[mount.kind] > RANK[known.kind]) places.set(mount.at, mount);
  }
  const ordered = [...places.values()].sort(
    (a, b) => getDepth(a.at) - getDepth(b.at) || (a.at < b.at ? -1 : 1),
  );
  return ordered.filter(mount => {
    const parent = findParent(mount.at, places);
    const isChecked = 'isInTree' in mount && mount.isInTree;
    if (parent?.kind === 'writable' && !isChecked) throw getInsideWritable(mount, parent);
    return mount.kind !== 'read-only' || (parent !== null && parent.kind !== 'read-only');
  });
}

/** Of two wishes for the same place: a cover beats all, and what is named beats what is merely there. */
const RANK: Readonly<Record<SandboxMount['kind'], number>> = {
  private: 0,
  link: 1,
  'read-only': 2,
  shown: 3,
  writable: 4,
  'empty-file': 5,
  'empty-folder': 6,
};

function getDepth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

function findParent(path: string, places: ReadonlyMap<string, SandboxMount>): SandboxMount | null {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = places.get(path.slice(0, end));
    if (found) return found;
  }
  return null;
}

/** A mount is made along a path; where an agent may write, it could have put a link in the way. */
function getInsideWritable(mount: SandboxMount, parent: SandboxMount): HarnessError {
  return new HarnessError(
    'config',
    `the sandbox cannot treat ${mount.at} apart from ${parent.at}, which is writable`,
    {
      field: 'sandbox.writable',
      fix: `Name the folders to write in ${parent.at} one by one, without this one.`,
    },
  );
}

function getMountArgs(mount: SandboxMount): string[] {
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.at, mount.at];
    case 'writable':
      return ['--bind', mount.at, mount.at];
    case 'private':
      return ['--bind', mount.from, mount.at];
    case 'shown':
      return ['--ro-bind', mount.from, mount.at];
    case 'empty-folder':
      return ['--tmpfs', mount.at];
    case 'empty-file':
      return ['--dev-bind', '/dev/null', mount.at];
    case 'link':
      return ['--symlink', mount.to, mount.at];
  }
}
