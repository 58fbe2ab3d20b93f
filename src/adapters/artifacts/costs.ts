import type { Policy } from '../../core/model/policy.ts';
import { compareIds } from '../../core/model/task.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { State } from '../../core/state/state.ts';
import { getFeatureId, getIsoSeconds, getUsd } from './format.ts';

/** `costs.yaml`, written by hand because its shape is fixed and loading a YAML library is not free. */
export function getCosts(state: State, budget: Policy['budget'] | null): string {
  const lines = ['# Written by harness after every session; changes here have no effect.'];
  addSession(lines, state);
  addCumulative(lines, state);
  if (budget) {
    lines.push(
      'budgets:',
      `  per_session_usd: ${getNumber(budget.perSessionUsd)}`,
      `  per_feature_usd: ${getNumber(budget.perTaskUsd)}`,
      `  total_project_usd: ${getNumber(budget.totalUsd)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function addSession(lines: string[], { recent }: State): void {
  const { lastSession } = recent;
  if (!lastSession) {
    lines.push('current_session: null');
    return;
  }
  lines.push(
    'current_session:',
    `  session_id: ${lastSession.session}`,
    `  role: ${quote(lastSession.role)}`,
    `  started: ${quote(getIsoSeconds(lastSession.startedAtMs))}`,
    '  tokens:',
    ...getTokens(lastSession.usage, '    '),
    `  cost_usd: ${getNumber(lastSession.usage.costUsd)}`,
  );
}

function addCumulative(lines: string[], state: State): void {
  const worked = [...state.tasks.values()].filter(task => task.sessions > 0 || task.usage.costUsd > 0);
  worked.sort((a, b) => compareIds(a.def.id, b.def.id));
  lines.push(
    'cumulative:',
    `  total_sessions: ${worked.reduce((sum, task) => sum + task.sessions, 0)}`,
    '  total_tokens:',
    ...getTokens(state.costs.usage, '    '),
    `  total_cost_usd: ${getNumber(state.costs.usage.costUsd)}`,
    state.costs.byRole.size === 0 ? '  by_role: []' : '  by_role:',
  );
  for (const [role, { usage, sessions }] of state.costs.byRole) {
    lines.push(`    - role: ${quote(role)}`, ...getSpent(usage, sessions));
  }
  lines.push(worked.length === 0 ? '  by_feature: []' : '  by_feature:');
  for (const { def, usage, sessions } of worked) {
    const id = getFeatureId(def.id);
    lines.push(`    - feature_id: ${typeof id === 'number' ? id : quote(id)}`, ...getSpent(usage, sessions));
  }
}

function getSpent(usage: Usage, sessions: number): string[] {
  return [
    `      cost_usd: ${getNumber(usage.costUsd)}`,
    `      sessions: ${sessions}`,
    '      tokens:',
    ...getTokens(usage, '        '),
  ];
}

function getTokens(usage: Usage, indent: string): string[] {
  return [
    `${indent}input: ${usage.inputTokens}`,
    `${indent}output: ${usage.outputTokens}`,
    `${indent}cached: ${usage.cachedTokens}`,
  ];
}

/** YAML has no word for an unlimited budget but its own infinity. */
function getNumber(value: number): string {
  return Number.isFinite(value) ? String(getUsd(value)) : '.inf';
}

/** A JSON string is a YAML string, once the characters YAML will not print are escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
