import { join, posix } from 'node:path';
import { readKernelFile, readKernelNumber } from './read-file.ts';

/** What a container lets its processes have; null where there is no limit. */
export interface ContainerLimits {
  readonly memory: { readonly limitBytes: number; readonly freeBytes: number } | null;
  readonly cores: number | null;
}

type Memory = ContainerLimits['memory'];

/** Where one version of control groups keeps what. */
interface Layout {
  readonly memory: { readonly limit: string; readonly used: string; readonly cache: RegExp };
  readonly readCores: (folder: string) => Promise<number | null>;
}

const V2: Layout = {
  memory: { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m },
  readCores: async folder => {
    const [quota, period] = ((await readKernelFile(join(folder, 'cpu.max'))) ?? '').split(' ').map(Number);
    return quota && period ? quota / period : null;
  },
};

const V1: Layout = {
  memory: {
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cache: /^total_inactive_file (\d+)$/m,
  },
  readCores: async folder => {
    const quota = await readKernelNumber(join(folder, 'cpu.cfs_quota_us'));
    const period = await readKernelNumber(join(folder, 'cpu.cfs_period_us'));
    return quota && period && quota > 0 ? quota / period : null;
  },
};

/** Limits of the control groups that this process is in: each of them holds for all below it, so the tightest counts. */
export async function readContainerLimits(root: string): Promise<ContainerLimits> {
  const groups = getGroups((await readKernelFile(join(root, 'proc/self/cgroup'))) ?? '');
  const memory: Memory[] = [];
  const cores: (number | null)[] = [];
  for (const { folder, path, layout, hasMemory } of groups) {
    for (const at of getUpwards(path).map(part => join(root, folder, part))) {
      if (hasMemory) memory.push(await readMemory(at, layout.memory));
      else cores.push(await layout.readCores(at));
      if (layout === V2) cores.push(await layout.readCores(at));
    }
  }
  const limits = memory.filter(each => each !== null).sort((a, b) => a.freeBytes - b.freeBytes);
  const shares = cores.filter(each => each !== null);
  return { memory: limits[0] ?? null, cores: shares.length > 0 ? Math.min(...shares) : null };
}

interface Group {
  readonly folder: string;
  readonly path: string;
  readonly layout: Layout;
  readonly hasMemory: boolean;
}

/** Lines such as `0::/user.slice` (version 2) and `4:memory:/docker/1f` (version 1). */
function getGroups(text: string): readonly Group[] {
  return text.split('\n').flatMap((line): Group[] => {
    const [, names = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (line.startsWith('0::')) return [{ folder: 'sys/fs/cgroup', path, layout: V2, hasMemory: true }];
    const name = names.split(',').find(each => each === 'memory' || each === 'cpu');
    if (name === undefined) return [];
    return [{ folder: `sys/fs/cgroup/${name}`, path, layout: V1, hasMemory: name === 'memory' }];
  });
}

/** `/a/b` is in `/a`, and that in `/`, which inside of a container is all that can be seen. */
function getUpwards(path: string): readonly string[] {
  const clean = posix.normalize(`/${path}`);
  if (clean.includes('..')) return ['/'];
  return clean === '/' ? ['/'] : [clean, ...getUpwards(posix.dirname(clean))];
}

/** Without a limit there is the word `max`, or more than any machine has. */
const NO_LIMIT = 2 ** 60;

async function readMemory(folder: string, names: Layout['memory']): Promise<Memory> {
  const limitBytes = await readKernelNumber(join(folder, names.limit));
  const usedBytes = await readKernelNumber(join(folder, names.used));
  if (limitBytes === null || usedBytes === null || limitBytes >= NO_LIMIT) return null;
  // Cached files count as used and are given back when somebody needs the room.
  const stat = (await readKernelFile(join(folder, 'memory.stat'))) ?? '';
  const cacheBytes = Number(names.cache.exec(stat)?.[1] ?? 0);
  return { limitBytes, freeBytes: Math.max(0, limitBytes - usedBytes + cacheBytes) };
}
