import { appendFileSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { HARNESS_VERSION } from '../../version.ts';
import { getEntriesPath, getOrientationPath } from './toolbox.ts';
import { getInputSchema, TOOLS } from './tools.ts';

/** Serves the harness's tools to an agent over stdio; all it can do is write into its own toolbox. */
export async function serveTools(dir: string): Promise<void> {
  const server = new McpServer({ name: 'harness', version: HARNESS_VERSION });
  server.registerTool(
    'orientation',
    { description: 'What this project and your task are about, as the harness knows it.' },
    async () => reply(readFileSync(getOrientationPath(dir), 'utf8')),
  );
  for (const tool of TOOLS) {
    server.registerTool(
      tool.name,
      { description: tool.description, inputSchema: getInputSchema(tool.type) },
      async input => {
        appendFileSync(getEntriesPath(dir), `${JSON.stringify({ type: tool.type, ...(input as object) })}\n`);
        return reply(tool.reply);
      },
    );
  }
  await server.connect(new StdioServerTransport());
}

function reply(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
