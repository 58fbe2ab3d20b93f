import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, type LooseObject } from '../shared/loose-json.ts';

/**
 * The MCP servers that the repository names for Claude Code, for repositories that are trusted. Left to
 * find them itself, Claude Code would wait for a person to approve each, and take the user's own as well.
 */
export function readRepoServers(cwd: string): LooseObject {
  const path = join(cwd, '.mcp.json');
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  try {
    return asObject(asObject(JSON.parse(readFileSync(path, 'utf8'))).mcpServers);
  } catch {
    return {};
  }
}
