import { getFolded } from './fold-path.ts';
import { matchesAny } from './glob.ts';
import { getBaseName } from './tree-path.ts';

/** Files that agents take instructions, tools or hooks from, whoever wrote them: by name, since only names tell. */
const STEERING: readonly string[] = [
  '**/.{claude,codex,gemini,cursor,windsurf,clinerules,roo,continue,kiro,opencode,amazonq}/**',
  '**/.{cursorrules,windsurfrules,clinerules,roorules,goosehints,mcp.json,aider*}',
  '**/opencode.json*',
  '**/.github/{copilot-*,instructions/**,prompts/**,chatmodes/**,agents/**}',
  '**/.vscode/{mcp,tasks,settings}.json',
];

const NAMED: readonly string[] = ['**/{agents,agents.override,claude,claude.local,gemini}.md'];

/** Whether the next agent will be told something else by this file. A document in small letters is for people. */
export function isSteering(path: string): boolean {
  if (matchesAny(getFolded(path), STEERING)) return true;
  const name = getBaseName(path);
  return matchesAny(getFolded(path), NAMED) && (name === path || name !== name.toLowerCase());
}
