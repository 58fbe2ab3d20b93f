import { type Fleet, type FleetHost, type FleetWorker, readFleet } from '../../../app/look/fleet.ts';
import { getCount } from '../../../core/base/text.ts';
import { defineCommand } from '../../command/define-command.ts';

export const fleet = defineCommand({
  name: 'fleet',
  group: 'looking',
  summary: 'Show who works on the project: hosts, workers, leases, and what waits to land.',
  flags: {},
  examples: ['harness fleet', 'harness fleet --json'],
  run: project => readFleet(project),
  render: getLines,
});

function getLines({ hosts, queue, batch, otherLeases }: Fleet): readonly string[] {
  const waiting = queue.map(({ task, waitsMs }) => `${task} (${getSeconds(waitsMs)})`).join(', ');
  return [
    ...(hosts.length === 0 ? ['nobody is at work'] : hosts.flatMap(getHostLines)),
    `Queue: ${queue.length === 0 ? 'empty' : waiting}`,
    ...(batch ? [`Batch ${batch.number}: ${batch.tasks.join(', ')}, by ${batch.worker}`] : []),
    ...getPortLines(otherLeases),
    ...otherLeases
      .filter(lease => !isPorts(lease))
      .map(({ resource, owner, leftMs }) => `Lease ${resource}: ${owner}, ${getLeft(leftMs)}`),
    `next: ${hosts.length === 0 ? 'harness run --all --workers 4' : 'harness status'}`,
  ];
}

type Lease = Fleet['otherLeases'][number];

const PORTS = 'ports/';

function isPorts({ resource }: Lease): boolean {
  return resource.startsWith(PORTS);
}

/** Each worktree in use has a block of them: that there are some is worth knowing, not which. */
function getPortLines(leases: readonly Lease[]): string[] {
  const held = leases.filter(({ leftMs }) => leftMs > 0);
  const hosts = held.filter(isPorts).map(({ resource }) => resource.split('/')[1] ?? '');
  const counts = [...new Set(hosts)].map(host => `${hosts.filter(one => one === host).length} on ${host}`);
  return counts.length === 0 ? [] : [`Blocks of ports: ${counts.join(', ')}`];
}

function getHostLines({ host, isHere, workers }: FleetHost): string[] {
  const here = isHere ? ' (here)' : '';
  const gone = workers.filter(({ isGone }) => isGone).length;
  const lost = gone === 0 ? '' : `, ${gone} gone without a word`;
  const count = getCount(workers.length - gone, 'worker');
  return [`Host ${host}${here}: ${count}${lost}`, ...workers.flatMap(getWorkerLine)];
}

/** Of one that is gone, only what it has not been adopted from yet. */
function getWorkerLine({ worker, lane, pid, task, stage, leaseLeftMs, isGone }: FleetWorker): string[] {
  if (isGone && task === null) return [];
  const name = lane === null ? `  ${worker}` : `  [${lane}] ${worker}`;
  const does = task === null ? (stage ?? 'no task') : `task ${task}, ${stage}`;
  return [`${name} (pid ${pid}): ${does}${leaseLeftMs === null ? '' : `, lease ${getLeft(leaseLeftMs)}`}`];
}

function getLeft(leftMs: number): string {
  return leftMs > 0 ? `holds ${getSeconds(leftMs)} more` : `ran out ${getSeconds(-leftMs)} ago`;
}

function getSeconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
