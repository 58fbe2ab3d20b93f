import { stringify } from 'yaml';
import type { DetectedProject } from './detect.ts';

/** What is not found out but chosen. */
interface ChosenSettings {
  readonly provider?: string;
  /** What starts it. */
  readonly command?: string;
  readonly init?: string;
  readonly reset?: string;
}

/** The first `.harness.yaml` of a project: short, commented, and loadable as it is. */
export function renderConfig(detected: DetectedProject, chosen: ChosenSettings = {}): string {
  const { provider = 'scripted', command, init, reset } = chosen;
  const { schemaPath, install, full, runner, report, lint, notes } = detected;
  const { typeCheck = null, build = null } = detected;
  const lines = [
    ...(schemaPath === null ? [] : [`# yaml-language-server: $schema=${schemaPath}`]),
    '# How Harness works on this project. Every other setting has a default: see docs/config.md.',
    '',
    'project:',
    setting('name', detected.name),
    '',
    '# Who does the work. "scripted" is the embedded agent that costs nothing; "command" starts any program.',
    'agent:',
    setting('provider', provider),
    ...(command === undefined ? [] : [setting('command', command)]),
    ...(install === null && init === undefined ? [] : ['', '# What a fresh tree needs.', 'environment:']),
    ...(install === null ? [] : [setting('install', install)]),
    ...(init === undefined ? [] : [setting('init', init)]),
    ...(reset === undefined ? [] : [setting('reset', reset)]),
    '',
    ...notes.map(note => `# ${note.replaceAll('\n', ' ')}`),
    ...(full === null
      ? ['# testing:', '#   full: ./run-tests.sh']
      : ['# What proves that work is done and nothing else broke.', 'testing:', setting('full', full)]),
    ...(full === null ? [] : [setting('runner', runner)]),
    ...(full === null || report === null ? [] : [setting('report', report)]),
    ...(full === null || (typeCheck === null && build === null) ? [] : ['  sanity:']),
    ...(full === null || typeCheck === null ? [] : [`  ${setting('type_check', typeCheck)}`]),
    ...(full === null || build === null ? [] : [`  ${setting('build', build)}`]),
    ...(lint === null ? [] : ['', 'quality:', setting('lint_command', lint)]),
    '',
    '# In US dollars; each of these stops a run.',
    'costs:',
    '  per_session_usd: 10',
    '  per_feature_usd: 25',
    '  total_project_usd: 200',
  ];
  return `${lines.join('\n')}\n`;
}

/** The agent that somebody named, as settings. */
export function getChosenAgent(
  provider: string | null | undefined,
  command: string | null | undefined,
): Pick<ChosenSettings, 'provider' | 'command'> {
  return { ...(provider ? { provider } : {}), ...(provider && command ? { command } : {}) };
}

/** Values come from the project's own files: quoted for YAML, and `${…}` kept for the shell. */
function setting(key: string, value: string): string {
  const text = value.replaceAll('${', () => '$${');
  return `  ${stringify({ [key]: text }, { lineWidth: 0, blockQuote: false }).trimEnd()}`;
}
