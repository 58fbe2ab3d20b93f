import { parseVitestJson } from '../reports/vitest-json.ts';
import { appendFlags, findName, getJsStub, getPathTarget, getUnwatched } from './command-edits.ts';
import type { Runner } from './runner.ts';

export const vitest: Runner = {
  reportName: 'vitest JSON report',
  findCall: names => {
    const after = findName('vitest', 'vitest.mjs')(names);
    return after > 0 && ['run', 'watch', 'dev', 'related'].includes(names[after] ?? '') ? after + 1 : after;
  },
  isRecognised: true,
  valueFlags:
    /^(-[crt]|--(config|root|dir|reporter|outputFile(\.\w+)?|testNamePattern|pool|environment|project|maxWorkers|shard|mode|exclude|testTimeout|hookTimeout|bail|retry))$/,
  narrowingFlags: ['-t', '--testNamePattern'],
  getTarget: getPathTarget,
  takesFiles: true,
  plan: appendFlags(file => `--reporter=default --reporter=json --outputFile.json=${file}`),
  parse: parseVitestJson,
  failures: {
    dependency: ['Failed to resolve import "([^"]+)"', 'Failed to load url (\\S+)'],
    'missing-own': ['No matching export'],
    'time-out': ['^\\s*(?:Error: )?(?:Test|Hook) timed out in \\d+'],
    collection: ['No test suite found in file'],
    syntax: ['Transform failed', 'PARSE_ERROR'],
  },
  alwaysStarts: true,
  installExample: 'npm install',
  variables: ['VITEST', 'VITEST_MODE', 'VITEST_POOL_ID', 'VITEST_WORKER_ID'],
  packages: ['vitest', '@vitest/runner', '@vitest/expect'],
  testModules: ['vitest'],
  pinnedPackage: 'vitest',
  versionCommand: 'node --version',
  tools: [{ name: 'vitest', programs: ['vitest'], once: getOnce, isDirect: true, compiles: true }],
  takesFlagsLast: true,
  getWorkspaceArguments: () => '',
  getStub: stub => getJsStub(stub, () => "import { test } from 'vitest';\n\ntest"),
};

function getOnce(line: string): string {
  return getUnwatched(line).replace(/((?:^|\s)vitest)(?:\s+(?:run|watch|dev))?(?=\s|$)/, '$1 run');
}
