import type { Probe } from '../probe.ts';

const told = (setting: string, to: unknown) =>
  [setting, { to, tells: new RegExp(`${setting.replace('.', '\\.')} has no effect`) }] as const;

/** Settings of parts that are not built, and those that nobody can have. */
export const TOLD_PROBES: readonly Probe[] = [
  {
    // Of many, a run gives the names alone, and doctor each with its reason.
    run: [['run'], ['doctor']],
    change: Object.fromEntries([
      told('project.github_repo', 'acme/shop'),
      told('github.sync_mode', 'none'),
      told('github.sync_on_session_end', false),
      told('github.create_missing_issues', false),
      told('github.close_on_verify', false),
      told('convergence.max_qa_cycles', 1),
      told('convergence.max_rework_tasks', 1),
    ]),
  },
  {
    change: {
      'verification.harness_verify': { to: false, tells: /harness_verify cannot be switched off/ },
      'verification.regression_check': { to: false, tells: /regression_check cannot be switched off/ },
      'verification.max_features_per_session': { to: 2, tells: /max_features_per_session must be 1/ },
      'tools.filesystem.enabled': { to: false, tells: /tools\.filesystem\.enabled must be true/ },
      'github.on_sync_failure': { to: 'fail', tells: /on_sync_failure cannot be "fail"/ },
    },
  },
];
