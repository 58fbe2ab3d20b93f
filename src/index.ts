export type { Config, ConfigInput } from './config/schema.ts';
export type { HarnessEvent, StoredEvent } from './core/event.ts';
export { fold } from './core/fold.ts';
export type { Policy } from './core/policy.ts';
export type { State } from './core/state.ts';
export { type RunOptions, type RunReport, runLoop } from './loop.ts';
export type * from './ports.ts';
