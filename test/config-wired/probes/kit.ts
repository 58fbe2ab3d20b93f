import type { SeedProject } from '../../seeds/stage.ts';
import type { Files } from '../probe.ts';

/** Moves of the scripted agent for every task. */
export function play(moves: string): Files {
  return { 'agent.yaml': `tasks: { "*": [${moves}] }\n` };
}

/** What does task 1. */
export const WORK = '{ edit: { file: src/1.txt, content: "1\\n" } }';
export const DONE = `${WORK}, { claim: done }`;

/** A shell script as the agent, which has to leave src/1.txt behind; outside any sandbox it may note what it saw. */
export const PROGRAM = { agent: { provider: 'command', command: 'sh agent.sh' } };
export const OPEN = { sandbox: { mode: 'off' } };

export function program(script: string): Files {
  return { 'agent.sh': `mkdir -p src\n${script}\n` };
}

/** What landed as src/1.txt. */
export const landed = (project: SeedProject): string => `landed: ${read(project, 'src/1.txt')}`;

/** A file of the project or beside it, if it is there. */
export function read(project: SeedProject, path: string): string {
  return project.has(path) ? project.read(path) : '(none)';
}

export const log = (project: SeedProject): string => read(project, '.harness/logs/harness-progress.txt');

/** Task 1 alone, with more fields. */
export function one(more: object = {}): Files {
  const task = {
    id: 1,
    description: 'Thing 1 exists',
    test_file: 'test/thing-1.sh',
    passes: false,
    ...more,
  };
  return { 'features.json': `${JSON.stringify({ project: 'sample', features: [task] }, null, 2)}\n` };
}
