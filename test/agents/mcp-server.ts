/** One tool that appends its text to a file, over stdin and stdout. */
export const MCP_SERVER = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tool = { name: 'note', description: 'Keeps a note.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === 'tools/call') appendFileSync(process.env.NOTES, params.arguments.text);
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } },
    'tools/list': { tools: [tool] },
    'tools/call': { content: [{ type: 'text', text: 'kept' }] },
  };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
`;
