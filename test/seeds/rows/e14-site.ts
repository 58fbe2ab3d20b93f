import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findBrowser } from '../../../src/adapters/browser/find-browser.ts';
import type { Row } from '../behaviour.ts';

const MODULES = join(process.cwd(), 'test', 'agents');
const SEES = { HARNESS_AGENT_MODULES: MODULES };

/** A site that becomes a specification. */
export const SITE: readonly Row[] = [
  {
    id: 'E14.1',
    asked: 'a site becomes a specification',
    command: 'harness capture http://127.0.0.1:PORT/ --allow-private 127.0.0.1 --no-plan',
    seen: 'docs/specs/shop.md with what the page shows, and a screenshot; without a browser, what to install',
    async show(stage) {
      const { url, close } = await serve();
      const project = stage.project();
      const flags = ['--allow-private', '127.0.0.1', '--no-plan', '--name', 'shop', '--viewport', '400x300'];
      const { code, text } = await project.harnessIn(SEES, 'capture', url, ...flags).finally(close);
      const isBlind = typeof findBrowser(MODULES) === 'string';
      if (isBlind) return assert.match(text, /apt install chromium|npm install/);
      assert.equal(code, 0, text);
      assert.match((await project.sh('cat docs/specs/shop.md')).out, /# Prices of today/);
      assert.ok(project.has('docs/specs/shop/1-400x300.png'));
    },
  },
  {
    id: 'E14.2',
    asked: 'files of this machine are no site',
    command: 'harness capture file:///etc/passwd',
    seen: 'exit 2: only http: and https: are opened',
    async show(stage) {
      const { code, text } = await stage.project().harness('capture', 'file:///etc/passwd');
      assert.equal(code, 2, text);
      assert.match(text, /only http: and https:/);
    },
  },
];

async function serve(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.writeHead(request.url === '/' ? 200 : 404).end('<h1>Prices of today</h1>');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
