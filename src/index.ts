export type { Config, ConfigInput } from './config/sections/schema.ts';
export type { HarnessEvent, StoredEvent } from './core/events/event.ts';
export { fold } from './core/events/fold.ts';
export type { Policy } from './core/model/policy.ts';
export type { State } from './core/state/state.ts';
export { type RunOptions, type RunReport, runLoop } from './loop/loop.ts';
export type * from './ports/index.ts';
