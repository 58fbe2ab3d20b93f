import * as z from 'zod';
import type { FileRules } from '../../core/model/policy.ts';
import { PROVIDER_NAMES } from '../../core/model/provider.ts';
import { count, optionalCommand, optionalText, seconds, text, texts } from './fields.ts';

/** Who does the work. */
export const agent = z
  .strictObject({
    provider: z
      .enum(PROVIDER_NAMES)
      .nullable()
      .default(null)
      .describe(
        'The agent: the embedded scripted one, any program, or an agent with an SDK; told by `agent.command` or `agent.script` when absent, and without any nothing runs.',
      ),
    command: optionalCommand().describe('Program started as the agent; needed by `command` and `acp`.'),
    script: optionalText().describe('File with the script that the scripted agent plays.'),
    env: texts().default([]).describe('Names of environment variables that the agent is given.'),
    trust_repo_settings: z
      .boolean()
      .default(false)
      .describe(
        'Whether settings that the repository brings for the agent (hooks, MCP servers, instructions) are taken.',
      ),
    timeout_seconds: seconds()
      .nullable()
      .default(null)
      .describe('Limit for one session when it should be shorter than `session.timeout_minutes`.'),
    fallback: z
      .array(z.enum(PROVIDER_NAMES))
      .default([])
      .describe('Agents to go on with, in this order, when the first one cannot be had.'),
    first_event_seconds: seconds()
      .nullable()
      .default(null)
      .describe(
        'Silence at the start that ends a session; 120 for agents with an SDK, none for programs when absent.',
      ),
    idle_seconds: seconds()
      .nullable()
      .default(null)
      .describe(
        'Silence in between that ends a session; 900 for agents with an SDK, none for programs when absent.',
      ),
    rate_limit_backoff_ms: count()
      .nullable()
      .default(null)
      .describe(
        'Pause after a rate limit that does not say how long; from 5 seconds, doubled up to 5 minutes, when absent.',
      ),
    max_review_passes: count(1)
      .default(5)
      .describe(
        'Reviews of one attempt that may find something; whoever does the work puts it right after each, and after the last one a person is asked.',
      ),
    max_rate_limit_retries: count(0)
      .nullable()
      .default(null)
      .describe(
        'How many rate limits in a row are waited out before the run stops for a person; all of them when absent.',
      ),
  })
  .prefault({})
  .describe('The agent that works on the tasks.');

const filesystem = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether the agent may read and write files.'),
    allowed_paths: texts()
      .default(['.'])
      .describe(
        'Folders, files or globs of the project in which an agent may change something; work elsewhere is refused.',
      ),
    denied_paths: texts()
      .default(['.harness/', '.git/', '../'])
      .describe(
        'Folders and files of the project that agents do not see and may not change, whatever is allowed; those outside of it and in the defaults are out of reach anyway.',
      ),
  })
  .prefault({})
  .describe('File access of the agent.');

const shell = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('Whether the agent may run commands; false only for claude and scripted.'),
    timeout_seconds: seconds()
      .default(300)
      .describe(
        'Longest time one command of the agent may take: kept by claude and scripted, told to programs in `HARNESS_SHELL_TIMEOUT_SECONDS`.',
      ),
    denied_commands: texts()
      .default(['rm -rf /', 'sudo', '> /dev/'])
      .describe(
        'Programs with these words (`rm -rf /`) or files written (`> /dev/`) that are refused to agents that ask, and reported of others; a program alone (`sudo`) is not there for any agent in the sandbox.',
      ),
  })
  .prefault({})
  .describe('Commands run by the agent.');

const mcpServer = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether this server is offered to the agent.'),
  command: text().describe('Program that starts the server.'),
  args: z.array(z.string()).default([]).describe('Its arguments.'),
  config: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Settings handed to the server as they are.'),
});

const visualVerification = z
  .strictObject({
    mode: z
      .enum(['auto', 'required', 'off'])
      .default('auto')
      .describe('Whether the application is looked at in a browser: where there is one, always, or never.'),
    pages: z
      .array(z.string().regex(/^\//, { error: 'must begin with /' }))
      .default(['/'])
      .describe('Paths that are looked at, besides those a task names.'),
    viewports: z
      .array(
        z.strictObject({
          width: count().describe('Width in pixels.'),
          height: count().describe('Height in pixels.'),
        }),
      )
      .default([{ width: 1280, height: 720 }])
      .describe('Sizes of the window.'),
    ready_seconds: seconds().default(60).describe('Longest time until the application answers.'),
  })
  .prefault({})
  .describe('Screenshots before and after, of tasks that ask for them; `dev_server` says what is started.');

/** What the agent may use. */
export const tools = z
  .strictObject({
    filesystem,
    shell,
    visual_verification: visualVerification,
    mcp_servers: z
      .record(z.string().min(1), mcpServer)
      .default({})
      .describe('MCP servers for the agent, each under a name of its own.'),
  })
  .prefault({})
  .describe('Tools the agent is given.');

/** What is out of an agent's reach wherever it works: its tree holds no records and a git directory of its own. */
const OUT_OF_REACH = /^(?:\.\.|~|\/|\.git$|\.harness$)/;

/** What agents may touch, as the core wants it. */
export function getFileRules({ filesystem: files }: z.output<typeof tools>): FileRules {
  const [allowed, denied] = [files.allowed_paths, files.denied_paths].map(paths =>
    paths.map(path => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') || '.'),
  ) as [string[], string[]];
  return {
    allowed: allowed.includes('.') ? null : allowed,
    denied: denied.filter(path => !OUT_OF_REACH.test(path)),
  };
}
