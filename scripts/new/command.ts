import type { Name, Scaffold } from './scaffold.ts';

/** Where commands stand: their group in the help, the folder of their use cases, the section in docs/cli.md. */
const FOLDERS: Readonly<
  Record<string, { readonly group: string; readonly app: string; readonly section: string }>
> = {
  work: { group: 'working', app: 'run', section: 'Working' },
  people: { group: 'deciding', app: 'people', section: 'Deciding' },
  look: { group: 'looking', app: 'look', section: 'Looking' },
  care: { group: 'the rest', app: 'care', section: 'Care' },
};

/** A command with its use case, which needs no terminal. */
export function getCommand({ kebab, camel, pascal, words }: Name, folder = 'look'): Scaffold {
  const place = FOLDERS[folder];
  if (!place)
    throw new Error(`commands are in ${Object.keys(FOLDERS).join(', ')}: --in ${folder} is none of them`);
  const useCase = `src/app/${place.app}/${kebab}`;
  return {
    files: {
      [`src/cli/commands/${folder}/${kebab}.ts`]: `import { get${pascal} } from '../../../app/${place.app}/${kebab}.ts';
import { defineCommand } from '../../command/define-command.ts';
import { text } from '../../command/flags.ts';

export const ${camel} = defineCommand({
  name: '${kebab}',
  group: '${place.group}',
  summary: 'Say in one sentence what it is for.',
  flags: { note: text('<text>', 'say what it is for') },
  examples: ['harness ${kebab} --note "as it stands"'],
  run: get${pascal},
  render: ({ root, note }) => [\`\${root}: \${note}\`],
});
`,
      [`${useCase}.ts`]: `import type { Project } from '../project/open-project.ts';

export interface ${pascal} {
  readonly root: string;
  readonly note: string;
}

/** Say here what a user gets of it: \`--json\` prints the result as it is. */
export async function get${pascal}(
  { root }: Pick<Project, 'root'>,
  { note = 'nothing' }: { readonly note?: string },
): Promise<${pascal}> {
  return { root, note };
}
`,
      [`${useCase}.test.ts`]: `import { expect, it } from 'vitest';
import { get${pascal} } from './${kebab}.ts';

it('${words} says nothing where nothing was noted', async () => {
  expect(await get${pascal}({ root: '/project' }, {})).toEqual({ root: '/project', note: 'nothing' });
});
`,
    },
    lines: [
      {
        path: 'src/cli/commands.ts',
        after: /^export const COMMANDS:[\s\S]*?(?=^\};)/m,
        text: `  ${JSON.stringify(kebab)}: async () => (await import('./commands/${folder}/${kebab}.ts')).${camel},\n`,
      },
      {
        path: 'docs/cli.md',
        after: new RegExp(`^## ${place.section}\\n\\n`, 'm'),
        text: `**\`harness ${kebab} [--note <text>]\`** shows the project's folder and the note.\n\n`,
      },
    ],
    next: [
      'src/cli/commands.ts has it last: move it to its group; npx vitest run src/cli names other lists, if any',
      'say in docs/cli.md what it does; README has only the dozen that a user needs',
    ],
  };
}
