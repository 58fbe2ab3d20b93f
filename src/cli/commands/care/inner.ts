import { runCapture, runServed, runToolServer } from '../../../app/care/inner.ts';
import { defineCommand } from '../../command/define-command.ts';
import { must, text } from '../../command/flags.ts';

export const look = defineCommand({
  name: 'look',
  group: null,
  on: 'nothing',
  summary: 'Look at an application in a browser; started by the harness itself, in a box.',
  flags: { job: must(text('<path>', 'what to look at')) },
  examples: [],
  json: false,
  run: async (_, { job }): Promise<undefined> => {
    await runCapture(job);
  },
});

export const mcp = defineCommand({
  name: 'mcp',
  group: null,
  on: 'nothing',
  summary: 'Serve the tools of the harness to an agent over stdio; started by the agent itself.',
  flags: { dir: must(text('<path>', 'the toolbox')) },
  examples: [],
  json: false,
  run: async (_, { dir }): Promise<undefined> => {
    await runToolServer(dir);
  },
});

export const serve = defineCommand({
  name: 'serve',
  group: null,
  on: 'nothing',
  summary: 'Run a command beside the application that it needs; started by the harness itself, in a box.',
  flags: { job: must(text('<path>', 'what to run')) },
  examples: [],
  json: false,
  run: async (_, { job }): Promise<undefined> => {
    await runServed(job);
  },
});
