// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the placeholders under test
import { describe, expect, it } from 'vitest';
import { HarnessError } from '../core/base/failure.ts';
import { parseConfig } from './load.ts';

const NAME = 'project: { name: shop }\n';

/** What is written, the field to blame, a part of the message, a part of the fix. */
const BAD: readonly (readonly [yaml: string, field: string, message: string, fix: string])[] = [
  ['', 'project.name', 'the file is empty', 'project'],
  ['project: { name: "  " }', 'project.name', 'an empty text', 'Set project.name'],
  ['project: { name: 7 }', 'project.name', 'the number 7', 'a non-empty text'],
  ['project: shop', 'project', 'must be a section of settings', 'a section'],
  ['project: { nmae: x, name: y }', 'project.nmae', 'is not a setting', 'Did you mean project.name?'],
  [`${NAME}cost: {}`, 'cost', 'is not a setting', 'Did you mean costs?'],
  [`${NAME}costs: { perSessionUsd: 3 }`, 'costs.perSessionUsd', 'is not a setting', 'costs.per_session_usd?'],
  [`${NAME}max_file_lines: 3`, 'max_file_lines', 'is not a setting', 'Did you mean quality.max_file_lines?'],
  [`${NAME}zzzzz: 3`, 'zzzzz', 'is not a setting', 'the settings of the file are project, agent'],
  [`${NAME}lease: { qqqqq: 3 }`, 'lease.qqqqq', 'is not a setting', 'ttl_seconds, heartbeat_seconds'],
  [
    `${NAME}costs: { per_session_usd: ten }`,
    'costs.per_session_usd',
    'the text "ten"',
    'a number above 0, such as 10',
  ],
  [`${NAME}costs: { per_feature_usd: -1 }`, 'costs.per_feature_usd', 'the number -1', 'a number above 0'],
  [`${NAME}costs: { total_project_usd: .inf }`, 'costs.total_project_usd', 'must be a number', 'such as 200'],
  [`${NAME}context: { warn_threshold: 75 }`, 'context.warn_threshold', 'between 0 and 1', 'such as 0.75'],
  [
    `${NAME}context: { warn_threshold: 0.95 }`,
    'context.warn_threshold',
    '0.95 is not below 0.9',
    'below 0.9',
  ],
  [`${NAME}quality: { max_file_lines: 0 }`, 'quality.max_file_lines', 'of at least 1', 'such as 500'],
  [`${NAME}attempts: { max_attempts: 2.5 }`, 'attempts.max_attempts', 'a whole number', 'such as 3'],
  [`${NAME}quality: { lint_blocks: yes }`, 'quality.lint_blocks', 'true or false', 'such as false'],
  [
    `${NAME}agent: { provider: comand }`,
    'agent.provider',
    'must be one of scripted',
    'Did you mean command?',
  ],
  [`${NAME}agent: { provider: command }`, 'agent.command', 'is required when', 'Add agent.command'],
  [`${NAME}verification: { harness_verify: false }`, 'verification.harness_verify', 'cannot be', 'override'],
  [`${NAME}verification: { regression_check: false }`, 'verification.regression_check', 'cannot be', 'true'],
  [
    `${NAME}verification: { max_features_per_session: 2 }`,
    'verification.max_features_per_session',
    'must be 1',
    'run --all',
  ],
  [`${NAME}tools: { filesystem: { enabled: false } }`, 'tools.filesystem.enabled', 'no task', 'denied_paths'],
  [
    `${NAME}agent: { command: ./a.sh }\ntools: { shell: { enabled: false } }`,
    'tools.shell.enabled',
    'only claude and scripted',
    'claude',
  ],
  [`${NAME}github: { on_sync_failure: fail }`, 'github.on_sync_failure', 'not mirrored yet', 'sync_mode'],
  [`${NAME}models: { coding: 7 }`, 'models.coding', 'a section of settings', 'a section'],
  [`${NAME}models: { codng: x }`, 'models.codng', 'is not a setting', 'Did you mean models.coding?'],
  [`${NAME}models: { default: "" }`, 'models.default.model', 'an empty text', 'models.default.model'],
  [`${NAME}models: { review: { effort: hgh } }`, 'models.review.effort', 'one of minimal', 'high?'],
  [
    `${NAME}models: { review: { provider: acp } }`,
    'models.review.provider',
    'no agent.command',
    'agent.command',
  ],
  [
    `${NAME}models: { planner: { provider: claude, effort: minimal } }`,
    'models.planner.effort',
    'must be one of low',
    'models.planner.effort to low',
  ],
  [`${NAME}agent: [scripted]`, 'agent', 'but is a list', 'a section'],
  [`${NAME}testing: { full: [npm, test] }`, 'testing.full', 'but is a list', 'a non-empty text'],
  [`${NAME}testing: { feature: npx vitest }`, 'testing.feature', 'must contain {file}', '{file}'],
  [`${NAME}testing: { runner: vittest }`, 'testing.runner', 'must be one of vitest', 'Did you mean vitest?'],
  [`${NAME}testing: { timeout_seconds: 9e9 }`, 'testing.timeout_seconds', 'up to 2000000', 'such as 600'],
  [`${NAME}testing: { unit: a, sanity: { unit: b } }`, 'testing.sanity.unit', 'also set', 'Keep one of'],
  [`${NAME}paths: { state_dir: ../out }`, 'paths.state_dir', 'inside the project', 'without ".."'],
  [`${NAME}paths: { state_dir: /var/h }`, 'paths.state_dir', 'inside the project', 'relative'],
  [`${NAME}paths: { state_dir: ./ }`, 'paths.state_dir', 'other than its root', 'Change paths.state_dir'],
  [`${NAME}stateDir: .git/h`, 'stateDir', 'other than its root and .git', 'Change stateDir'],
  [`${NAME}git: { base_branch: "--all" }`, 'git.base_branch', 'must be a branch name', 'branch name'],
  [`${NAME}github: { repo: shop }`, 'github.repo', 'owner/name', 'owner/name'],
  [`${NAME}lease: { ttl_seconds: 20 }`, 'lease.heartbeat_seconds', 'is 15 of 20', 'at most 10'],
  [
    `${NAME}session: { timeout_warning_minutes: 70 }`,
    'session.timeout_warning_minutes',
    'is not below 60',
    'below 60',
  ],
  [`${NAME}tools: { mcp_servers: { web: {} } }`, 'tools.mcp_servers.web.command', 'is required', 'Add tools'],
  [
    `${NAME}verification: { protected: ["a", 3] }`,
    'verification.protected.1',
    'the number 3',
    'a non-empty text',
  ],
  [`${NAME}budget: { ceilingTokns: 3 }`, 'budget.ceilingTokns', 'is not a setting', 'budget.ceilingTokens?'],
  [`${NAME}budget: 3`, 'budget', 'is not a setting', 'budget'],
  [`${NAME}agent: { command: "\${TOKEN}" }`, 'agent.command', 'environment variable TOKEN', 'Set TOKEN'],
];

describe('a bad configuration', () => {
  it.each(BAD)('%j is blamed on %s', (yaml, field, message, fix) => {
    const error = getError(yaml);
    expect(error.code).toBe('config');
    expect(error.details).toMatchObject({ file: '.harness.yaml', field });
    expect(error.message).toContain('.harness.yaml');
    expect(error.message).toContain(field);
    expect(error.message).toContain(message);
    expect(error.details.fix).toContain(fix);
  });

  it.each([
    ['a list', '- a', 'must hold sections'],
    ['a syntax error', 'project:\n  name: "x\n', 'line 3, column 1'],
    ['a bad indentation', 'project:\n  name: x\n bad: 1\n', 'line 3, column'],
    ['a key set twice', 'project: { name: x }\ncosts: {}\ncosts: {}\n', 'line 3, column 1: the same key'],
    ['two documents', 'project: { name: x }\n---\nproject: { name: y }\n', 'cannot be read'],
    ['an alias to nothing', 'project: *who\n', 'cannot be read'],
  ])('that is %s is refused with its place', (_, yaml, message) => {
    expect(getError(yaml).message).toContain(message);
    expect(getError(yaml).details.fix).not.toBe('');
  });

  it('tells everything that is wrong at once, from top to bottom', () => {
    const error = getError(
      `${NAME}paths: { state_dir: .. }\ncost: 1\ngit: { land: nowhere, base_branch: "\${B}" }\n`,
    );
    expect(error.message.split('\n').map(line => line.trim().split(' must')[0])).toEqual([
      '.harness.yaml has 4 problems:',
      'line 2, column 10: paths.state_dir',
      'line 3, column 1: cost is not a setting',
      'line 4, column 8: git.land',
      'line 4, column 23: git.base_branch needs the environment variable B, which is not set',
    ]);
    expect(error.details.fix?.split('\n')).toHaveLength(4);
  });

  it('is quoted as it was written, never with the value of a variable', () => {
    const error = getError(`${NAME}costs: { per_session_usd: "\${SECRET}" }`, { SECRET: 'hunter2' });
    expect(error.message).toContain('the text "${SECRET}"');
    expect(error.message + error.details.fix).not.toContain('hunter2');
  });

  it.each([
    ['{ "project": { "name": "x" }, }', 'is not JSON'],
    ['{ "project": { "name": "x" } ', 'line 1, column'],
    ['{ "project": { "name": "x", "name": "y" } }', 'line 1, column 29: the same key'],
    ['project: { name: x }', 'is not JSON'],
  ])('in JSON is held to JSON: %s', (json, message) => {
    expect(getError(json, {}, 'harness.config.json').message).toContain(message);
  });
});

function getError(text: string, env: Record<string, string> = {}, file = '.harness.yaml'): HarnessError {
  try {
    parseConfig(text, file, env);
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}
