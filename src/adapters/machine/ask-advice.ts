import { getErrorMessage } from '../../core/base/failure.ts';
import { getFields, getText } from '../../core/base/json.ts';
import type { Advice, MachineReading, MemoryPressure } from '../../core/model/machine.ts';

type Asked = Pick<MachineReading, 'advice' | 'adviceProblem'>;

const DEADLINE_MS = 2_000;

/** Asks the hardware endpoint on this port of the machine; none is asked where none is configured. */
export async function askAdvice(port: string | undefined): Promise<Asked> {
  if (!port) return { advice: null, adviceProblem: null };
  const url = `http://localhost:${port}/api/centurion/hardware`;
  try {
    if (!/^\d{1,5}$/.test(port)) throw new Error('CENTURION_PORT is no number of a port');
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    return { advice: getAdvice(await response.json()), adviceProblem: null };
  } catch (error) {
    // All that a fetch says of a connection is that it failed.
    const why = error instanceof TypeError ? 'it cannot be reached' : getErrorMessage(error);
    const problem = `the hardware endpoint at ${url} gave no advice (${why})`;
    return { advice: null, adviceProblem: `${problem}: the machine's own sensors are used` };
  }
}

const PRESSURES: readonly MemoryPressure[] = ['normal', 'warn', 'critical'];

/** Some answer flat, some in groups. */
function getAdvice(answer: unknown): Advice {
  const fields = getFields(answer);
  const { recommended_max_agents: recommendedAgents } = fields;
  if (typeof recommendedAgents !== 'number') throw new Error('it names no recommended_max_agents');
  const pressure = getText(fields.memory_pressure ?? getFields(fields.system).memory_pressure);
  const activeAgents = fields.active_agents ?? getFields(fields.allocated).active_agents;
  return {
    recommendedAgents,
    memoryPressure: PRESSURES.find(each => each === pressure) ?? 'normal',
    activeAgents: typeof activeAgents === 'number' ? activeAgents : null,
  };
}
