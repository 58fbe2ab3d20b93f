import * as z from 'zod';
import { agent, tools } from './agent.ts';
import { costs, models } from './costs.ts';
import { devServer, environment, preflight } from './environment.ts';
import { attempts, checkpoints, convergence, escalation, lease } from './limits.ts';
import { fidelity, plan, releaseGate } from './plan.ts';
import { compatibility, git, github, paths, project, store } from './project.ts';
import { sandbox } from './sandbox.ts';
import { context, logging, progress, session, sessionConfig } from './session.ts';
import { e2e, features, quality, testing, verification } from './testing.ts';

// A config is parsed once per process: compiling parsers would cost more than it saves.
z.config({ jitless: true });

/** Every setting there is, in the order people read about them. */
export const configSchema = z.strictObject({
  project,
  agent,
  environment,
  testing,
  verification,
  quality,
  features,
  costs,
  models,
  git,
  session,
  session_config: sessionConfig,
  context,
  progress,
  attempts,
  escalation,
  convergence,
  lease,
  checkpoints,
  preflight,
  tools,
  sandbox,
  github,
  logging,
  paths,
  store,
  compatibility,
  plan,
  e2e,
  dev_server: devServer,
  fidelity,
  release_gate: releaseGate,
});

/** The configuration with every default filled in: the only shape the rest of the code sees. */
export type Config = z.output<typeof configSchema>;

/** What a person may write. */
export type ConfigInput = z.input<typeof configSchema>;
