import { appendFileSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { HARNESS_VERSION } from '../../core/base/version.ts';
import { getEntriesPath, getOrientationPath } from './toolbox.ts';
import { getHarnessTools } from './tools.ts';

/** Serves the harness's tools to an agent over stdio; all it can do is write into its own toolbox. */
export async function serveTools(dir: string): Promise<void> {
  const server = new McpServer({ name: 'harness', version: HARNESS_VERSION });
  const tools = getHarnessTools({
    orient: () => readFileSync(getOrientationPath(dir), 'utf8'),
    keep: entry => appendFileSync(getEntriesPath(dir), `${JSON.stringify(entry)}\n`),
  });
  for (const { name, description, input, call } of tools) {
    const inputSchema = z.strictObject(input as z.ZodRawShape);
    server.registerTool(name, { description, inputSchema }, async given => ({
      content: [{ type: 'text', text: call(given) }],
    }));
  }
  await server.connect(new StdioServerTransport());
}
