import { getImport, type Name, type Scaffold } from './scaffold.ts';

/** An agent provider: a folder with a descriptor and what runs its sessions. */
export function getProvider({ kebab, camel, pascal }: Name): Scaffold {
  const folder = `src/adapters/agents/${kebab}`;
  const table = 'src/adapters/agents/providers.ts';
  const entry = kebab === camel ? camel : `'${kebab}': ${camel}`;
  return {
    files: {
      [`${folder}/README.md`]: `# adapters/agents/${kebab}

Say in a sentence which agents these are.

May import \`adapters/agents/shared\`, \`adapters/process\`, \`core\`, \`ports\`.
`,
      [`${folder}/index.ts`]: `import type { Provider } from '../shared/provider.ts';

/** Say here which agents these are. */
export const ${camel}: Provider = {
  name: '${kebab}',
  create: async () => {
    const { create${pascal}Agent } = await import('./${kebab}.ts');
    return create${pascal}Agent();
  },
};
`,
      [`${folder}/${kebab}.ts`]: `import { NO_USAGE } from '../../../core/model/usage.ts';
import type { Driver } from '../shared/provider.ts';

/** Runs sessions: the agent edits files in \`cwd\`, and what it says and does is told as it happens. */
export function create${pascal}Agent(): Driver {
  return {
    run: async ({ task }, onEvent) => {
      onEvent({ type: 'text', text: \`asked for task \${task.id}\` });
      return { outcome: 'not-done', summary: 'it cannot work yet', usage: NO_USAGE };
    },
  };
}
`,
      [`${folder}/${kebab}.test.ts`]: `import { expect, it } from 'vitest';
import { getRequest } from '../../../../test/contracts/agent.ts';
import type { AgentEvent } from '../../../core/model/agent-event.ts';
import { create${pascal}Agent } from './${kebab}.ts';

it('claims nothing that it has not done, and tells what it was asked', async () => {
  const events: AgentEvent[] = [];
  const result = await create${pascal}Agent().run(getRequest('/'), event => events.push(event));
  expect(result.outcome).toBe('not-done');
  expect(events).toEqual([{ type: 'text', text: 'asked for task 7' }]);
});
`,
    },
    lines: [
      {
        path: 'src/core/model/provider.ts',
        after: /^export const PROVIDER_FACTS = \{[\s\S]*?(?=^\} as const)/m,
        text: `  '${kebab}': PLAIN,\n`,
      },
      getImport(table, camel, `./${kebab}/index.ts`),
      { path: table, after: /^export const PROVIDERS = \{/m, text: ` ${entry},` },
      {
        path: 'src/adapters/agents/README.md',
        after: /^May import /m,
        text: `\`adapters/agents/${kebab}\`, `,
      },
    ],
    next: [
      'npm run graph -- --write, npm run docs',
      'hold it to the contract of test/contracts/agent.ts',
      'add a section to docs/agents.md',
    ],
  };
}
