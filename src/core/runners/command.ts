import { getCommands } from '../shell/command-line.ts';
import { getForFile, getPlan } from './command-edits.ts';
import type { Runner } from './runner.ts';

/** Any command: all that is read is its exit code, as the result of one test. */
export const command: Runner = {
  reportName: 'exit code only',
  plan: line => getPlan(line, {}, 'exit-code'),
  parse: null,
  testModules: ['uvu'],
  tools: [
    { name: 'uvu', programs: ['uvu'], feature: getUvuFile },
    { name: 'jasmine', programs: ['jasmine', 'jasmine-ts'], feature: getForFile },
  ],
};

/** A file of uvu runs by itself, with the hooks that the line loads first. */
function getUvuFile(line: string): string {
  const words = getCommands(line)[0] ?? [];
  const hooks = words.flatMap(({ value }, i) =>
    /^(?:-r|--require)$/.test(value) ? [` -r ${words[i + 1]?.value ?? ''}`] : [],
  );
  return `node${hooks.join('')} {file}`;
}
