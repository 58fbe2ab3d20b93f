import type { Probe } from './probe.ts';
import { AGENT_PROBES } from './probes/agent.ts';
import { ENVIRONMENT_PROBES } from './probes/environment.ts';
import { GATE_PROBES } from './probes/gates.ts';
import { LIMIT_PROBES } from './probes/limits.ts';
import { MODEL_PROBES } from './probes/models.ts';
import { PLACE_PROBES } from './probes/places.ts';
import { PROOF_PROBES } from './probes/proof.ts';
import { RECORD_PROBES } from './probes/records.ts';
import { SANDBOX_PROBES } from './probes/sandbox.ts';
import { SESSION_PROBES } from './probes/session.ts';
import { SHARED_PROBES } from './probes/shared.ts';
import { STORE_PROBES } from './probes/store.ts';
import { TOLD_PROBES } from './probes/told.ts';

/** What shows each setting of the schema; a test holds the list to the schema's own. */
export const PROBES: readonly Probe[] = [
  ...AGENT_PROBES,
  ...ENVIRONMENT_PROBES,
  ...PROOF_PROBES,
  ...MODEL_PROBES,
  ...SESSION_PROBES,
  ...LIMIT_PROBES,
  ...SANDBOX_PROBES,
  ...RECORD_PROBES,
  ...PLACE_PROBES,
  ...SHARED_PROBES,
  ...STORE_PROBES,
  ...GATE_PROBES,
  ...TOLD_PROBES,
];
