import { getShellQuoted } from '../base/shell-quoted.ts';
import { parseVitestJson } from '../reports/vitest-json.ts';
import { appendFlags, findName, getJsStub, getUnwatched } from './command-edits.ts';
import type { Runner } from './runner.ts';

export const jest: Runner = {
  reportName: 'jest JSON report',
  findCall: findName('jest', 'jest.js'),
  isRecognised: true,
  valueFlags:
    /^(-[ctw]|--(config|testNamePattern|rootDir|roots|selectProjects|maxWorkers|testTimeout|env|reporters|shard|outputFile|coverageDirectory|setupFiles))$/,
  narrowingFlags: ['-t', '--testNamePattern'],
  listingFlags: ['--listTests'],
  getTarget: file => `--runTestsByPath ${getShellQuoted(file)}`,
  takesFiles: true,
  plan: appendFlags(file => `--json --outputFile=${file} --ci`),
  parse: parseVitestJson,
  failures: {
    dependency: ['Cannot find module "([^"]+)"'],
    'time-out': ['Exceeded timeout of \\d+ ?ms'],
    collection: ['must contain at least one test'],
    syntax: ['Jest encountered an unexpected token'],
  },
  alwaysStarts: true,
  installExample: 'npm install',
  variables: ['JEST_WORKER_ID'],
  packages: ['jest', '@jest/globals', 'jest-circus'],
  testModules: ['@jest/globals'],
  pinnedPackage: 'jest',
  versionCommand: 'node --version',
  tools: [{ name: 'jest', programs: ['jest'], once: getUnwatched, isDirect: true, compiles: true }],
  takesFlagsLast: true,
  getWorkspaceArguments: () => '',
  getStub: stub => getJsStub(stub, () => '\ntest'),
};
