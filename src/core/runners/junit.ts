import { parseJunit } from '../reports/junit.ts';
import { getForFile, getPlan, withFlag } from './command-edits.ts';
import type { Runner, ScriptTool } from './runner.ts';

const isTest: ScriptTool['isTest'] = ([first]) => first === 'test';
const getForTest = (line: string, file?: string): string => getForFile(line, file, 'test');

/** Whatever writes JUnit XML where it is told to, or where the settings say. */
export const junit: Runner = {
  reportName: 'JUnit report',
  plan: command => getPlan(command),
  parse: parseJunit,
  testModules: ['bun:test', '@playwright/test'],
  tools: [
    {
      ...{ name: 'playwright', programs: ['playwright'], isTest, feature: getForTest },
      once: line => `PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} ${withFlag('--reporter=junit')(line)}`,
    },
    {
      ...{ name: 'bun', programs: ['bun'], isTest, feature: line => getForTest(line, './{file}') },
      once: withFlag('--reporter=junit --reporter-outfile={report}'),
    },
    {
      ...{ name: 'deno', programs: ['deno'], isTest, feature: getForTest },
      once: withFlag('--junit-path={report}'),
    },
  ],
};
