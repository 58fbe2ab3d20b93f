/** Looks at an application in a browser; the harness starts this by itself, in a box. */
export async function runCapture(job: string): Promise<void> {
  const { capture } = await import('../../adapters/browser/capture.ts');
  await capture(job);
}

/** Serves the tools of the harness to an agent, which starts this by itself. */
export async function runToolServer(dir: string): Promise<void> {
  const { serveTools } = await import('../../adapters/mcp/serve.ts');
  await serveTools(dir);
}
