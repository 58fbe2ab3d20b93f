import { stringify } from 'yaml';
import type { DetectedProject } from './detection.ts';

/** What is not found out but chosen. */
interface ChosenSettings {
  readonly provider?: string;
  /** What starts it. */
  readonly command?: string;
  readonly init?: string;
  readonly reset?: string;
  /** The backlog, where it has another name than usual. */
  readonly features?: string;
  /** The same as a folder of plans, and where they go once they are done. */
  readonly plans?: { readonly dir: string; readonly completed: string | null };
}

/** What was seen of each command when it was tried. */
export interface Seen {
  readonly install?: string;
  readonly full?: string;
  /** Why one file alone gives no result. */
  readonly alone?: string | undefined;
  readonly lint?: string;
  readonly typeCheck?: string;
  readonly build?: string;
  /** Commands that gave none, each with the reason. */
  readonly leftOut?: readonly string[];
}

/** The first `.harness.yaml` of a project: short, commented, and loadable as it is. */
export function renderConfig(
  detected: DetectedProject,
  chosen: ChosenSettings = {},
  seen: Seen = {},
): string {
  const { provider = 'scripted', command, init, reset } = chosen;
  const { schemaPath, install, full, runner, report, lint } = detected;
  const { typeCheck = null, build = null, feature = null } = detected;
  const notes = [...detected.notes, ...getAdvice(detected, seen), ...(seen.leftOut ?? [])];
  const lines = [
    ...(schemaPath === null ? [] : [`# yaml-language-server: $schema=${schemaPath}`]),
    '# How Harness works on this project. Every other setting has a default: docs/config.md of Harness.',
    '',
    'project:',
    setting('name', detected.name),
    ...getBacklogLines(chosen),
    '',
    '# Who does the work. "scripted" is the embedded agent that costs nothing; "command" starts any program.',
    'agent:',
    setting('provider', provider),
    ...(command === undefined ? [] : [setting('command', command)]),
    ...(install === null && init === undefined && reset === undefined
      ? []
      : ['', '# What a fresh tree needs.', 'environment:']),
    ...(install === null ? [] : [setting('install', install, seen.install)]),
    ...(init === undefined ? [] : [setting('init', init)]),
    ...(reset === undefined ? [] : [setting('reset', reset)]),
    '',
    ...notes.map(note => `# ${getOneLine(note)}`),
    ...(full === null
      ? ['# testing:', '#   full: ./run-tests.sh']
      : [
          '# What proves that work is done and nothing else broke.',
          'testing:',
          setting('full', full, seen.full),
        ]),
    ...(full === null ? [] : [setting('runner', runner)]),
    ...(full === null || feature === null ? [] : [setting('feature', feature)]),
    ...(full === null || report === null ? [] : [setting('report', report)]),
    ...(full === null || (typeCheck === null && build === null) ? [] : ['  sanity:']),
    ...(full === null || typeCheck === null ? [] : [`  ${setting('type_check', typeCheck, seen.typeCheck)}`]),
    ...(full === null || build === null ? [] : [`  ${setting('build', build, seen.build)}`]),
    ...(detected.testNetwork === undefined ? [] : ['', ...WITHOUT_NETWORK]),
    ...(lint === null ? [] : ['', 'quality:', setting('lint_command', lint, seen.lint)]),
    '',
    '# In US dollars; each of these stops a run.',
    'costs:',
    '  per_session_usd: 10',
    '  per_feature_usd: 25',
    '  total_project_usd: 200',
  ];
  return `${lines.join('\n')}\n`;
}

function getBacklogLines({ features, plans }: ChosenSettings): readonly string[] {
  const why = ['', '# The backlog, in the format that it has.'];
  if (features !== undefined) return [...why, 'paths:', setting('features', features)];
  if (plans === undefined) return [];
  const completed = plans.completed === null ? [] : [setting('completed_dir', plans.completed)];
  return [...why, 'plan:', setting('dir', plans.dir), ...completed];
}

const WITHOUT_NETWORK = [
  '# The tests pass without a network, so they are given none; set it to on where new ones need it.',
  'sandbox:',
  '  test_network: "off"',
];

/** The agent that somebody named, as settings. */
export function getChosenAgent(
  provider: string | null | undefined,
  command: string | null | undefined,
): Pick<ChosenSettings, 'provider' | 'command'> {
  return { ...(provider ? { provider } : {}), ...(provider && command ? { command } : {}) };
}

/** Values come from the project's own files: quoted for YAML, and `${…}` kept for the shell. */
function setting(key: string, value: string, seen?: string): string {
  const text = value.replaceAll('${', () => '$${');
  const line = `  ${stringify({ [key]: text }, { lineWidth: 0, blockQuote: false }).trimEnd()}`;
  return seen === undefined ? line : `${line}  # ${getOneLine(seen)}`;
}

/** A comment ends where its line does. */
function getOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What a person should know of the way their tests are read. */
export function getAdvice({ full, runner }: DetectedProject, { alone }: Seen): readonly string[] {
  return [
    ...(full !== null && runner === 'command' ? [WEAKER] : []),
    ...(alone === undefined ? [] : [`One test file by itself gives no result: ${alone}`]),
  ];
}

const WEAKER =
  'Only the exit code of the tests is read, which proves less than a report test by test: for more, set testing.full to a command that writes a JUnit or TAP file, and testing.runner and testing.report to that.';
