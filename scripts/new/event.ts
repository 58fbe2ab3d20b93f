import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getName, type Scaffold } from './scaffold.ts';

const FOLDER = 'src/core/events';

/** A kind of event: its type and what it means, in the file of its theme. */
export function getEvent(root: string, type: string, theme = type.split('.', 1)[0] ?? ''): Scaffold {
  if (!/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/.test(type))
    throw new Error(`"${type}" is no event: say what it is about and what happened, such as task.renamed`);
  const path = `${FOLDER}/${theme}.ts`;
  const themes = getThemes(root);
  if (!themes.includes(theme)) throw new Error(`--in says which theme it belongs to: ${themes.join(', ')}`);
  const { kebab, words } = getName(type.replace('.', '-'));
  return {
    files: {
      [`${FOLDER}/${kebab}.test.ts`]: `import { expect, it } from 'vitest';
import { getEventLevel, getEventLine } from './event.ts';

it('${words} is told to people', () => {
  const event = { type: '${type}', task: '1' } as const;
  const stored = { seq: 1, stream: 'project', version: 1, atMs: 0, event };
  expect([getEventLevel(event), getEventLine(stored)]).toEqual(['routine', '  task 1: ${words}']);
});
`,
    },
    lines: [
      {
        path,
        after: /^export type \w+Event =\n/m,
        text: `  /** Say here what happened; it is a fact from now on. */\n  | { readonly type: '${type}'; readonly task: string }\n`,
      },
      {
        path,
        after: /^export const \w+_EVENTS: EventTable<\w+> = \{\n/m,
        text: `  '${type}': {\n    level: 'routine',\n    line: ({ task }) => \`  task \${task}: ${words}\`,\n  },\n`,
      },
    ],
    next: [
      `give it what it has to say in ${path}, and \`apply\` if it changes the state`,
      'record it from a step or a use case: nothing else does',
    ],
  };
}

function getThemes(root: string): readonly string[] {
  const folder = join(root, FOLDER);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter(
      name => name.endsWith('.ts') && /_EVENTS: EventTable</.test(readFileSync(join(folder, name), 'utf8')),
    )
    .map(name => name.slice(0, -'.ts'.length));
}
