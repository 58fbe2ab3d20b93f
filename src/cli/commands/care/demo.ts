import { defineCommand } from '../../command/define-command.ts';
import { choice, count, yes } from '../../command/flags.ts';

/** What it plays is no part of the product: it is loaded when somebody wants to see it. */
export const demo = defineCommand({
  name: 'demo',
  group: 'the rest',
  on: 'nothing',
  summary: 'Watch an agent that cannot be trusted, in a project of its own.',
  flags: {
    workers: count('<n>', 'so many agents at once, who get into each other’s way: 2 to 8'),
    keep: yes('keep the project to look at'),
    agent: choice('<name>', 'the real SDK of that agent, on a scripted model', [
      'scripted',
      'claude',
      'codex',
    ]),
  },
  examples: ['harness demo --keep', 'harness demo --workers 4'],
  json: 'print the story on stderr, and the result as one JSON line on stdout',
  run: async (_, input, { io, json }): Promise<undefined> => {
    const { playDemo } = await import('../../../../demo/main.ts');
    await playDemo(io, { ...input, json });
  },
});
