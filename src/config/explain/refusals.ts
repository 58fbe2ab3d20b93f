import type { Config } from '../sections/schema.ts';
import type { Problem } from './problem.ts';

interface Refusal {
  readonly field: string;
  isAsked(config: Config): boolean;
  readonly message: string;
  readonly fix: string;
}

const ALWAYS = 'nothing lands that the harness has not proven itself';

/** What other harnesses let people set and this one does not do: refused, so that nobody counts on it. */
const REFUSALS: readonly Refusal[] = [
  {
    field: 'verification.harness_verify',
    isAsked: ({ verification }) => !verification.harness_verify,
    message: `cannot be switched off: ${ALWAYS}`,
    fix: 'Remove it, or set it to true; "harness override" marks one task as done without a proof.',
  },
  {
    field: 'verification.regression_check',
    isAsked: ({ verification }) => !verification.regression_check,
    message: `cannot be switched off: ${ALWAYS}`,
    fix: 'Remove it, or set it to true; without testing.full there is no suite to run.',
  },
  {
    field: 'verification.max_features_per_session',
    isAsked: ({ verification }) => verification.max_features_per_session > 1,
    message: 'must be 1: a session works on one task, which lands as one commit with a proof of its own',
    fix: 'Set it to 1; "harness run --all" takes one task after the other.',
  },
  {
    field: 'tools.filesystem.enabled',
    isAsked: ({ tools }) => !tools.filesystem.enabled,
    message: 'must be true: an agent that may not touch files can do no task',
    fix: 'Remove it; tools.filesystem.allowed_paths and denied_paths say which files it may use.',
  },
  {
    field: 'tools.shell.enabled',
    isAsked: config => !config.tools.shell.enabled && !canWithholdShell(config),
    message:
      'must be true for this agent: a program starts what it wants, and only claude and scripted can be kept from it',
    fix: 'Remove it, or set agent.provider to claude; the sandbox limits what commands can reach.',
  },
  {
    field: 'github.on_sync_failure',
    isAsked: ({ github }) => github.on_sync_failure === 'fail' && github.sync_mode === 'mirror',
    message: 'cannot be "fail": issues are not mirrored yet, so that every run would have to end',
    fix: 'Set it to warn, or github.sync_mode to none.',
  },
];

/** Whether every agent that may be started can be held to having no shell. */
function canWithholdShell({ agent, models }: Config): boolean {
  const named = [agent.provider, ...agent.fallback];
  const roles = Object.values(models).map(({ provider }) => provider);
  return [...named, ...roles].every(one => one === null || one === 'claude' || one === 'scripted');
}

/** What a configuration asks for and cannot have. */
export function getRefusals(config: Config): readonly Problem[] {
  return REFUSALS.filter(({ isAsked }) => isAsked(config)).map(({ field, message, fix }) => ({
    field,
    message,
    fix,
  }));
}
