import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentMode, McpServer, SessionRequest } from '../../../ports/index.ts';
import { MARKER_VARIABLE } from '../../process/marker.ts';
import type { AgentSettings, Env } from '../shared/provider.ts';
import type { CodexOptions, ConfigObject, ThreadOptions } from './sdk.ts';

/** How Codex is to be run, whatever the session. */
export interface CodexSettings extends Pick<AgentSettings, 'model' | 'effort' | 'passEnv' | 'trustRepo'> {
  /** A server that speaks the Responses API, `/v1` included; without it the user's login decides. */
  readonly baseUrl?: string;
  /** Between two pieces of an answer. */
  readonly streamIdleMs?: number;
}

/** The variables that hold a key, best first. */
export const CODEX_KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const;

/** The login that `codex login` wrote; null when there is none. */
export function findCodexLogin(env: Env): string | null {
  const file = join(env.CODEX_HOME || join(env.HOME || homedir(), '.codex'), 'auth.json');
  return existsSync(file) ? file : null;
}

/** The server that was asked for; null when OpenAI's own is meant. */
export function getCodexBaseUrl(parent: Env, settings: CodexSettings): string | null {
  return settings.baseUrl ?? (parent.OPENAI_BASE_URL || null);
}

/** What Codex's environment holds besides the usual; commands see neither keys nor tokens of it. */
export function getCodexEnv(parent: Env, homeDir: string): Readonly<Record<string, string>> {
  const key = CODEX_KEYS.map(name => parent[name]).find(Boolean);
  return { CODEX_HOME: homeDir, ...(key ? { CODEX_API_KEY: key } : {}) };
}

/** The client of one session. Retries are ours to make, and nothing but the model is looked up. */
export function getCodexOptions(
  settings: CodexSettings,
  request: SessionRequest,
  env: Readonly<Record<string, string>>,
  baseUrl: string | null,
): CodexOptions {
  const { cwd, mode = 'exec', mcpServers = {} } = request;
  const trust = settings.trustRepo && mode === 'exec' ? 'trusted' : 'untrusted';
  const servers = mode === 'exec' ? Object.entries(mcpServers) : [];
  const mark = env[MARKER_VARIABLE] ?? '';
  return {
    env,
    config: {
      model_provider: PROVIDER,
      model_providers: { [PROVIDER]: getProvider(settings, baseUrl, 'CODEX_API_KEY' in env) },
      features: getFeatures(mode),
      analytics: { enabled: false },
      check_for_update_on_startup: false,
      shell_environment_policy: { ignore_default_excludes: false },
    },
    configOverrides: [
      // Left alone, Codex trusts the directory by itself and starts the servers that the repository names.
      `projects={${JSON.stringify(cwd)}={trust_level="${trust}"}}`,
      ...(servers.length > 0 ? [`mcp_servers={${servers.map(getServer(mark)).join(',')}}`] : []),
    ],
  };
}

const PROVIDER = 'harness';

/** Without an address Codex takes the one that belongs to the login: the subscription's or the API's. */
function getProvider(settings: CodexSettings, baseUrl: string | null, hasKey: boolean): ConfigObject {
  const own = baseUrl
    ? {
        name: PROVIDER,
        base_url: baseUrl,
        requires_openai_auth: false,
        ...(hasKey ? { env_key: 'CODEX_API_KEY' } : {}),
      }
    : { name: 'OpenAI', requires_openai_auth: true };
  return {
    ...own,
    wire_api: 'responses',
    // The built-in provider tries WebSockets first and loses seconds where they are blocked.
    supports_websockets: false,
    request_max_retries: 0,
    stream_max_retries: 0,
    stream_idle_timeout_ms: settings.streamIdleMs ?? 120_000,
  };
}

function getFeatures(mode: AgentMode): ConfigObject {
  const lookups = { plugins: false, apps: false, remote_plugin: false };
  const waits = { unbounded_connection_retries: false };
  const tools = { shell_tool: false, unified_exec: false, view_image: false };
  return { ...lookups, ...waits, ...(mode === 'complete' ? tools : {}) };
}

/** One server as an inline table. Without its own word on approval, `never` would refuse every call. */
function getServer(mark: string): (entry: [string, McpServer]) => string {
  return ([name, { command, args, env }]) => {
    const vars = Object.entries({ ...env, [MARKER_VARIABLE]: mark });
    const table = vars.map(([key, value]) => `${JSON.stringify(key)}=${JSON.stringify(value)}`).join(',');
    return `${JSON.stringify(name)}={command=${JSON.stringify(command)},args=${JSON.stringify(args)},env={${table}},default_tools_approval_mode="approve"}`;
  };
}

/**
 * The thread of one session: only `exec` may write, and nobody is there to be asked. Inside our
 * sandbox Codex cannot make one of its own, and need not.
 */
export function getThreadOptions(
  settings: CodexSettings,
  request: SessionRequest,
  isBoxed: boolean,
): ThreadOptions {
  const { cwd, mode = 'exec' } = request;
  const model = request.model ?? settings.model;
  const effort = request.effort ?? settings.effort;
  const own = mode === 'exec' ? 'workspace-write' : 'read-only';
  return {
    ...(model ? { model } : {}),
    ...(effort ? { modelReasoningEffort: effort } : {}),
    sandboxMode: isBoxed ? 'danger-full-access' : own,
    approvalPolicy: 'never',
    workingDirectory: cwd,
    webSearchMode: 'disabled',
    skipGitRepoCheck: true,
  };
}
