import type { MonitorCommand, MonitorRules, Observation } from './monitor.ts';

/** What was done since the last look, and how often in a row that was nothing. */
export interface ProgressWatch {
  readonly tokens: number;
  readonly files: number;
  readonly tests: number;
  readonly commands: number;
  readonly stuckChecks: number;
}

const TEST_COMMAND = /\b(test|tests|spec|vitest|jest|mocha|pytest|nextest|ctest)\b/;
const MIN_COMMANDS = 3;

export function createProgressWatch(): ProgressWatch {
  return { tokens: 0, files: 0, tests: 0, commands: 0, stuckChecks: 0 };
}

/** Every so many tokens something must have been done: a file, a test run, or a few commands. */
export function watchProgress(
  state: ProgressWatch,
  { event }: Observation,
  rules: MonitorRules,
): { state: ProgressWatch; commands: readonly MonitorCommand[] } {
  if (event === null) return { state, commands: [] };
  if (event.type === 'file' && event.action !== 'read') {
    return { state: { ...state, files: state.files + 1 }, commands: [] };
  }
  if (event.type === 'command') {
    const tests = state.tests + (TEST_COMMAND.test(event.command) ? 1 : 0);
    return { state: { ...state, tests, commands: state.commands + 1 }, commands: [] };
  }
  if (event.type !== 'usage') return { state, commands: [] };
  const tokens = state.tokens + event.usage.inputTokens + event.usage.outputTokens;
  if (tokens < rules.checkEveryTokens) return { state: { ...state, tokens }, commands: [] };
  return look(state, rules);
}

function look(
  state: ProgressWatch,
  rules: MonitorRules,
): { state: ProgressWatch; commands: readonly MonitorCommand[] } {
  const isStuck = state.files === 0 && state.tests === 0 && state.commands < MIN_COMMANDS;
  const stuckChecks = isStuck ? state.stuckChecks + 1 : 0;
  const next = { ...createProgressWatch(), stuckChecks };
  if (!isStuck) return { state: next, commands: [] };
  const why = `no file, no test and ${state.commands} commands in ${rules.checkEveryTokens} tokens`;
  if (stuckChecks < rules.stopAfterStuckChecks) {
    return { state: next, commands: [{ type: 'inject', text: rules.stuckWarning, why }] };
  }
  return {
    state: next,
    commands: [{ type: 'stop', cause: 'stuck', why: `stuck: ${why}, ${stuckChecks} times in a row` }],
  };
}
