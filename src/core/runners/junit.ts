import { parseJunit } from '../reports/junit.ts';
import { getForFile, getPlan, withFlag } from './command-edits.ts';
import type { Runner, ScriptTool } from './runner.ts';

const isTest: ScriptTool['isTest'] = ([first]) => first === 'test';

/** Whatever writes JUnit XML where it is told to, or where the settings say. */
export const junit: Runner = {
  reportName: 'JUnit report',
  plan: command => getPlan(command),
  parse: parseJunit,
  testModules: ['bun:test', '@playwright/test'],
  tools: [
    {
      ...{ name: 'playwright', programs: ['playwright'], isTest, feature: getForFile },
      once: line => `PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} ${withFlag('--reporter=junit')(line)}`,
    },
    {
      ...{ name: 'bun', programs: ['bun'], isTest, feature: line => getForFile(line, './{file}') },
      once: withFlag('--reporter=junit --reporter-outfile={report}'),
    },
    {
      ...{ name: 'deno', programs: ['deno'], isTest, feature: getForFile },
      once: withFlag('--junit-path={report}'),
    },
  ],
};
