import { serveTools } from '../../src/adapters/mcp/serve.ts';

await serveTools(process.argv[2] ?? '');
