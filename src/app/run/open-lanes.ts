import { availableParallelism } from 'node:os';
import { createSensors } from '../../adapters/machine/sensors.ts';
import { getCount } from '../../core/base/text.ts';
import { getAgentSlots } from '../../core/decide/agent-slots.ts';
import type { Lanes } from '../../loop/loop.ts';
import type { Ports, Reporter } from '../../ports/index.ts';
import { createGates } from '../gates/create-gates.ts';
import type { Where } from '../project/open-checkout.ts';
import { openPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';

/** Seams for the chaos suite: the same run with every port call interceptable. */
export interface RunSeams {
  readonly runGit?: Where['runGit'];
  readonly wrapPorts?: (ports: Ports) => Ports;
}

interface LanesRequest extends RunSeams {
  /** As the settings say when not given. */
  readonly workers?: number | 'auto' | undefined;
  readonly maxSessions: number | null;
  readonly task?: string | undefined;
  readonly reporter: Reporter;
  /** The run's own, whose records its lanes share. */
  readonly shared: Ports;
}

/** Several workers, where there is more than one attempt to be made. */
export async function openLanes(project: Project, request: LanesRequest): Promise<Lanes | undefined> {
  const { workers = project.policy.limits.workers, maxSessions, task, wrapPorts } = request;
  const { reporter, shared } = request;
  const git = request.runGit ? { runGit: request.runGit } : {};
  if (workers === 1 || maxSessions === 1 || task !== undefined) return undefined;
  const sensors = createSensors({ env: project.env });
  const { recommended, why } = getAgentSlots(await sensors.readMachine(), { active: 0, peakBytes: null });
  const count = workers === 'auto' ? recommended : workers;
  if (workers === 'auto') reporter.note?.(`${getCount(count, 'worker')}: ${why}`);
  if (count === 1) return undefined;
  return {
    ...{ count, sensors, verifiers: Math.max(1, Math.floor(availableParallelism() / 2)) },
    open: async lane => {
      const own = await openPorts(project, { reporter, lane, shared, ...git });
      const ports = { ...own, gates: createGates(project, reporter) };
      return wrapPorts ? wrapPorts(ports) : ports;
    },
  };
}
