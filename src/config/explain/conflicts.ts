import { EFFORTS, getProviderFacts } from '../../core/model/provider.ts';
import { getUsualProvider } from '../sections/models.ts';
import type { Config } from '../sections/schema.ts';
import { getFileProblems } from './file-problems.ts';
import type { Problem } from './problem.ts';
import { getRefusals } from './refusals.ts';

/** What is wrong between settings that are each fine alone. */
export function getConflicts(config: Config): readonly Problem[] {
  const { agent, context, lease, session } = config;
  const problems: Problem[] = [];
  if (context.warn_threshold >= context.force_threshold) {
    problems.push({
      field: 'context.warn_threshold',
      message: `must be below context.force_threshold, but ${context.warn_threshold} is not below ${context.force_threshold}`,
      fix: `Set context.warn_threshold below ${context.force_threshold}, or context.force_threshold above ${context.warn_threshold}.`,
    });
  }
  if (lease.heartbeat_seconds * 2 > lease.ttl_seconds) {
    problems.push({
      field: 'lease.heartbeat_seconds',
      message: `must be at most half of lease.ttl_seconds, so that one missed sign of life is survived, but is ${lease.heartbeat_seconds} of ${lease.ttl_seconds}`,
      fix: `Set lease.heartbeat_seconds to at most ${lease.ttl_seconds / 2}.`,
    });
  }
  const warning = session.timeout_warning_minutes;
  if (warning !== null && warning >= session.timeout_minutes) {
    problems.push({
      field: 'session.timeout_warning_minutes',
      message: `must be below session.timeout_minutes, but ${warning} is not below ${session.timeout_minutes}`,
      fix: `Set session.timeout_warning_minutes below ${session.timeout_minutes}.`,
    });
  }
  const command = agent.provider && getProviderFacts(agent.provider).command;
  if (command && agent.command === null) {
    problems.push({
      field: 'agent.command',
      message: `is required when agent.provider is ${agent.provider}`,
      fix: `Add agent.command: the program to start, such as "${command}".`,
    });
  }
  problems.push(...getRefusals(config), ...getFileProblems(config));
  return [...problems, ...Object.entries(config.models).flatMap(entry => getModelProblems(config, entry))];
}

/** A role's agent that cannot be started, or an effort that it does not know. */
function getModelProblems(
  { agent, models }: Config,
  [role, { provider, effort }]: [string, Config['models']['default']],
): Problem[] {
  const problems: Problem[] = [];
  const command = provider && getProviderFacts(provider).command;
  if (command && agent.command === null) {
    problems.push({
      field: `models.${role}.provider`,
      message: `is ${provider}, but there is no agent.command`,
      fix: `Add agent.command: the program to start, such as "${command}".`,
    });
  }
  const actual = provider ?? getUsualProvider({ agent, models }) ?? 'scripted';
  const efforts = EFFORTS.filter(one => !getProviderFacts(actual).unknownEfforts.includes(one));
  if (effort !== null && !efforts.includes(effort)) {
    problems.push({
      field: `models.${role}.effort`,
      message: `must be one of ${efforts.join(', ')} for ${actual}, but is the text "${effort}"`,
      fix: `Set models.${role}.effort to ${efforts[0]}.`,
    });
  }
  return problems;
}
