import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fields, getFields, getText } from '../../../core/base/json.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import type { AgentMode, McpServer, SessionRequest } from '../../../ports/index.ts';
import type { Run } from '../../process/open-run.ts';
import type { AgentSettings } from '../shared/provider.ts';
import type { ClaudeOptions, ClaudeSdk } from './sdk.ts';

/** How Claude Code is to be run, whatever the session. */
export interface ClaudeSettings
  extends Pick<
    AgentSettings,
    'model' | 'effort' | 'passEnv' | 'hasShell' | 'shellTimeoutMs' | 'trustRepo' | 'refuse'
  > {
  /** Until the first byte of an answer. */
  readonly requestTimeoutMs?: number;
  /** Between two bytes of an answer; the SDK takes nothing below ten seconds. */
  readonly streamIdleMs?: number;
}

type ToolMaker = Pick<ClaudeSdk, 'tool' | 'createSdkMcpServer'>;

/** The options of one session: what the repository brings for Claude Code is read only where it is trusted. */
export function getClaudeOptions(
  sdk: ToolMaker,
  settings: ClaudeSettings,
  request: SessionRequest,
  run: Pick<Run, 'env' | 'start'>,
): ClaudeOptions {
  const { cwd, mode = 'exec', schema, resume, mcpServers = {} } = request;
  const model = request.model ?? settings.model;
  const effort = request.effort ?? settings.effort;
  const isTrusted = settings.trustRepo === true && mode === 'exec';
  return {
    cwd,
    env: run.env,
    settingSources: isTrusted ? ['project'] : [],
    strictMcpConfig: true,
    includePartialMessages: true,
    ...getModeOptions(sdk, mode, mcpServers, {
      tools: settings.hasShell === false ? WORK_TOOLS.filter(tool => tool !== 'Bash') : WORK_TOOLS,
      repoServers: isTrusted ? readRepoServers(cwd) : {},
    }),
    ...(model ? { model: getModelName(model) } : {}),
    ...(effort ? { effort } : {}),
    ...(resume ? { resume } : {}),
    ...(settings.refuse ? { hooks: getHooks(settings.refuse) } : {}),
    ...(schema && mode === 'complete' ? { outputFormat: { type: 'json_schema', schema } } : {}),
    spawnClaudeCodeProcess: ({ command, args, env }) =>
      run.start(command, args, { cwd, env, readable: [dirname(command)] }),
  };
}

/**
 * The MCP servers that the repository names for Claude Code, for repositories that are trusted. Left to
 * find them itself, Claude Code would wait for a person to approve each, and take the user's own as well.
 */
function readRepoServers(cwd: string): Fields {
  const path = join(cwd, '.mcp.json');
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  try {
    return getFields(getFields(JSON.parse(readFileSync(path, 'utf8'))).mcpServers);
  } catch {
    return {};
  }
}

/** Asked before each command, in every mode of permissions. */
function getHooks(refuse: (command: string) => string | null): NonNullable<ClaudeOptions['hooks']> {
  const judge = async (input: { readonly tool_input?: unknown }) => {
    const reason = refuse(getText(getFields(input.tool_input).command));
    if (reason === null) return {};
    const decision = { permissionDecision: 'deny', permissionDecisionReason: reason } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } } as const;
  };
  return { PreToolUse: [{ matcher: 'Bash', hooks: [judge] }] };
}

/** A family and a first number, such as `claude-sonnet-4`, is no model's name: the newest of the family is meant. */
function getModelName(model: string): string {
  return /^claude-(opus|sonnet|haiku)-\d$/.exec(model)?.[1] ?? model;
}

const WORK_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep'];
const READ_TOOLS = ['Read', 'Glob', 'Grep'];
const CODING = { type: 'preset', preset: 'claude_code' } as const;

function getModeOptions(
  sdk: ToolMaker,
  mode: AgentMode,
  mcpServers: Readonly<Record<string, McpServer>>,
  { tools, repoServers }: { readonly tools: readonly string[]; readonly repoServers: Fields },
) {
  if (mode === 'complete') {
    return { permissionMode: 'dontAsk', tools: [], allowedTools: [], maxTurns: 1 } as const;
  }
  if (mode === 'review') {
    const may = { tools: READ_TOOLS, allowedTools: READ_TOOLS };
    return { permissionMode: 'dontAsk', systemPrompt: CODING, ...may } as const;
  }
  const own = Object.entries(mcpServers).map(([name, server]) => [name, getServer(sdk, name, server)]);
  const servers = { ...repoServers, ...Object.fromEntries(own) };
  return {
    permissionMode: 'acceptEdits',
    systemPrompt: CODING,
    tools: [...tools],
    allowedTools: [...tools, ...Object.keys(servers).map(getServerRule)],
    mcpServers: servers,
  } as const;
}

/** A server whose tools can be called here needs no process. */
function getServer(sdk: ToolMaker, name: string, { local, ...stdio }: McpServer): object {
  if (!local) return { type: 'stdio', ...stdio };
  const tools = local.map(({ name, description, input, call }) =>
    sdk.tool(name, description, input, async given => ({ content: [{ type: 'text', text: call(given) }] })),
  );
  return sdk.createSdkMcpServer({ name, version: HARNESS_VERSION, tools });
}

/** All tools of one server, in the spelling of permission rules. */
function getServerRule(name: string): string {
  return `mcp__${name.replace(/[^a-zA-Z0-9_-]/g, '_')}`;
}

/** Variables of the user that may come through: how to reach and pay the model, and what they named. */
export function getClaudePassEnv(
  parent: Readonly<Record<string, string | undefined>>,
  settings: ClaudeSettings,
): readonly string[] {
  const own = Object.keys(parent).filter(name => name.startsWith('ANTHROPIC_'));
  return [...own, 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', ...(settings.passEnv ?? [])];
}

/** The harness owns retries and time limits; nothing is reported or looked up besides the model. */
export function getClaudeEnv(settings: ClaudeSettings): Readonly<Record<string, string>> {
  const shellTimeoutMs = String(settings.shellTimeoutMs ?? 300_000);
  return {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
    // A turn that waits for a command left in the background would never end.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    API_TIMEOUT_MS: String(settings.requestTimeoutMs ?? 120_000),
    CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(settings.streamIdleMs ?? 60_000),
    BASH_DEFAULT_TIMEOUT_MS: shellTimeoutMs,
    BASH_MAX_TIMEOUT_MS: shellTimeoutMs,
    // Tools of MCP servers stay hidden otherwise.
    ENABLE_TOOL_SEARCH: 'false',
  };
}
