import { getAgentSlots } from '../core/decide/agent-slots.ts';
import type { MachineLimit } from '../core/model/world.ts';
import type { Clock, Sensors } from '../ports/index.ts';

/** Looking costs little and is asked for between any two steps of any lane. */
const FRESH_MS = 5_000;

/** How many agents the machine carries just now, for all lanes together; critical pressure is given its time to pass. */
export class MachineWatch {
  readonly #sensors: Sensors;
  readonly #clock: Clock;
  #limit: MachineLimit | null = null;
  #lookedMs = 0;
  #criticalSinceMs: number | null = null;

  constructor(sensors: Sensors, clock: Clock) {
    this.#sensors = sensors;
    this.#clock = clock;
  }

  async look(active: number): Promise<MachineLimit> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#limit && nowMs - this.#lookedMs < FRESH_MS) return this.#limit;
    const reading = await this.#sensors.readMachine();
    const { pressure, next, why } = getAgentSlots(reading, { active, peakBytes: null });
    if (pressure !== 'critical') this.#criticalSinceMs = null;
    else this.#criticalSinceMs ??= nowMs;
    const pauseMs = next.type === 'wait' ? next.ms : 0;
    const isLong = this.#criticalSinceMs !== null && nowMs - this.#criticalSinceMs >= pauseMs;
    const atOnce = AT_ONCE[pressure];
    this.#limit = { atOnce, isOver: isLong, why };
    this.#lookedMs = nowMs;
    return this.#limit;
  }
}

/** What was asked for is what there is, unless memory runs short. */
const AT_ONCE = { normal: null, warn: 2, critical: 1 } as const;
