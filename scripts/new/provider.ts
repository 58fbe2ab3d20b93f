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
  create: async (settings, { owner }) => {
    const { create${pascal}Agent } = await import('./${kebab}.ts');
    return create${pascal}Agent({ ...settings, owner, command: settings.command ?? '' });
  },
};
`,
      [`${folder}/${kebab}.ts`]: `import { NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentFailure, SessionRequest } from '../../../ports/index.ts';
import { getShellCommand } from '../../process/shell.ts';
import { type SpawnOwner, type SpawnResult, spawnContained } from '../../process/spawn-contained.ts';
import { type Ending, getFailedEnding, getTurnEnding, getWatchedFailure } from '../shared/ending.ts';
import type { AgentSettings, Driver } from '../shared/provider.ts';

export interface ${pascal}Options extends Pick<AgentSettings, 'passEnv' | 'graceMs'> {
  readonly owner: SpawnOwner;
  /** A shell line. */
  readonly command: string;
}

/** Runs sessions: the agent edits files in \`cwd\`, and what it says and does is told as it happens. */
export function create${pascal}Agent({ owner, command, ...more }: ${pascal}Options): Driver {
  return {
    run: async (request, onEvent) => {
      const { cwd, timeoutMs, signal } = request;
      const [file, ...args] = getShellCommand(command, process.env.PATH);
      let said = '';
      const result = await spawnContained(owner, {
        ...{ file, args, cwd, timeoutMs, signal, ...more },
        stdin: getInput(request),
        onStdoutLine: text => {
          said = text;
          onEvent({ type: 'text', text });
        },
      });
      const ending = getEnding(request, result, said);
      const { failure } = ending;
      if (failure) onEvent({ type: 'error', kind: failure.kind, message: failure.message });
      return { ...ending, usage: NO_USAGE };
    },
  };
}

/** What the program is told. */
function getInput({ task, prompt }: SessionRequest): string {
  return \`\${JSON.stringify({ task: task.id, prompt })}\\n\`;
}

/** Exit 0 is the claim, any other code says that it is not done. */
function getEnding(request: SessionRequest, result: SpawnResult, said: string): Ending {
  const { end, error, exitCode } = result;
  if (end === 'timeout') return getFailedEnding(getWatchedFailure('timeout'), 'timeout');
  if (end === 'aborted') return getFailedEnding(getWatchedFailure('cancelled'), 'cancelled');
  if (end === 'not-started') return getFailedEnding({ kind: 'start', message: error ?? 'it did not start' }, null);
  // Shells tell of signals by an exit code.
  if (exitCode === null || exitCode > 128) return getFailedEnding(CRASHED, null);
  if (exitCode === 0) return getTurnEnding(request, said, 'It exited 0.');
  return { outcome: 'not-done', summary: \`It exited \${exitCode}: \${said}\` };
}

const CRASHED: AgentFailure = { kind: 'crash', message: 'It was ended by a signal.' };
`,
      [`${folder}/${kebab}.test.ts`]: `import { expect, it } from 'vitest';
import { getRequest } from '../../../../test/contracts/agent.ts';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import type { AgentEvent } from '../../../core/model/agent-event.ts';
import { createRandom } from '../../process/random.ts';
import { create${pascal}Agent } from './${kebab}.ts';

const makeDir = useTempDir();

async function run(command: string, timeoutMs = 60_000) {
  const events: AgentEvent[] = [];
  const owner = { workerId: 'w-${kebab}', random: createRandom() };
  const request = { ...getRequest(makeDir()), timeoutMs };
  const agent = create${pascal}Agent({ owner, command, graceMs: 100 });
  return { ...(await agent.run(request, event => events.push(event))), events };
}

it('is told its task, and claims by exit 0', async () => {
  const { outcome, events } = await run('cat');
  expect(outcome).toBe('claimed');
  expect(events).toMatchObject([{ type: 'text', text: expect.stringContaining('"task":"7"') }]);
});

it.each([
  ['exit 3', 'not-done'],
  ['kill -9 $$', 'crashed'],
])('claims nothing by %s', async (command, outcome) => {
  expect(await run(command)).toMatchObject({ outcome });
});

it('is ended when its time is up, and says so', async () => {
  const { outcome, events } = await run('sleep 60', 200);
  expect([outcome, events]).toMatchObject(['timeout', [{ type: 'error', kind: 'timeout' }]]);
});
`,
    },
    lines: [
      {
        path: 'src/core/model/provider.ts',
        after: /^export const PROVIDER_FACTS = \{[\s\S]*?(?=^\} as const)/m,
        text: `  '${kebab}': { ...PLAIN, command: './agent.sh' },\n`,
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
      `${folder}/${kebab}.ts starts agent.command and hands it a line of JSON: change that to what the agent takes`,
      'src/core/model/provider.ts has the example of agent.command; PLAIN alone where it needs none',
      'hold it to the contract of test/contracts/agent.ts',
      'add a section to docs/agents.md',
    ],
  };
}
