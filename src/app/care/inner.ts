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

/** Runs a command beside the application that it needs; the harness starts this by itself, in the box of the tests. */
export async function runServed(job: string): Promise<void> {
  const { serveFor } = await import('../../adapters/tests/serve-for.ts');
  await serveFor(job);
}
