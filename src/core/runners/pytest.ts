import { parseJunit } from '../reports/junit.ts';
import { findName, getPathTarget, getPlan, getWithArguments } from './command-edits.ts';
import type { Invocation, ReportFile, ReportPlan, Runner } from './runner.ts';

export const pytest: Runner = {
  reportName: 'pytest JUnit report',
  findCall: findName('pytest', 'py.test'),
  isRecognised: true,
  valueFlags:
    /^(-[kmncopW]|--(cov|cov-report|cov-config|maxfail|tb|rootdir|ignore|deselect|junitxml|durations|timeout|dist|numprocesses|confcutdir|basetemp|log-level|color|capture|import-mode|ds))$/,
  narrowingFlags: ['-k'],
  listingFlags: ['--co', '--collect-only'],
  getTarget: getPathTarget,
  takesFiles: true,
  plan: makePlan,
  parse: parseJunit,
  failures: {
    dependency: ["No module named '?([\\w.]+)'?"],
    'missing-own': ['cannot import name', 'has no attribute', 'FileNotFoundError'],
    'time-out': ['^\\s*Failed: Timeout [>(]'],
    collection: [
      ...['no tests ran', 'collected 0 items', 'no tests were collected'],
      "fixture '[^']+' not found",
    ],
    syntax: ['IndentationError', 'TabError'],
  },
  alwaysStarts: true,
  installExample: 'python3 -m pip install -r requirements.txt',
  variables: [
    ...['PYTEST_CURRENT_TEST', 'PYTEST_VERSION', 'PYTEST_XDIST_WORKER', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD'],
  ],
  packages: ['pytest', '_pytest'],
  pinnedPackage: 'pytest',
  versionCommand: 'python3 --version; python --version',
  getStub: ({ file, note, task }) => {
    if (!file.endsWith('.py')) return null;
    const why = `the test of task ${task} has not been written yet`;
    return `# ${note}\nimport pytest\n\n\ndef test_not_written_yet():\n    pytest.fail(${JSON.stringify(why)})\n`;
  },
};

/** One broken file must not hide the results of all others; the cache would be written into the tree. */
function makePlan(command: string, { quoted }: ReportFile, invocation: Invocation | null): ReportPlan {
  const usesCache = /--(lf|ff|nf|sw|last-failed|failed-first|new-first|stepwise|cache-)/.test(command);
  const flags = [
    `--junitxml=${quoted}`,
    '-o junit_family=xunit1',
    '--continue-on-collection-errors',
    ...(usesCache ? [] : ['-p no:cacheprovider']),
  ].join(' ');
  if (invocation?.via === 'runner') return getPlan(getWithArguments(command, invocation, flags));
  return getPlan(command, { PYTEST_ADDOPTS: flags });
}
