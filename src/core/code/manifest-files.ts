/** What `npm install` and its kin leave in a folder that has nothing else. */
export const MANIFEST_FILES: readonly string[] = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];

/** Packages that drive agents: a project that has only these has nothing to install for its tests. */
export const AGENT_PACKAGES: ReadonlySet<string> = new Set([
  '@anthropic-ai/claude-agent-sdk',
  '@openai/codex-sdk',
  '@agentclientprotocol/sdk',
  '@harness-proof/harness',
]);
