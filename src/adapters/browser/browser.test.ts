import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import type { CaptureRequest } from '../../ports/index.ts';
import { createRandom } from '../process/random.ts';
import { createShell } from '../process/shell.ts';
import { createBrowser } from './browser.ts';
import { findBrowser } from './find-browser.ts';

const makeDir = useStateDirs();
const ROOT = join(import.meta.dirname, '../../..');
const MODULES = join(ROOT, 'test/agents');
const found = findBrowser(MODULES);

/** Pages by path; `down` is an application that ends at once. */
const SERVER = `
const pages = {
  '/': '<h1>Hello</h1><script>console.error("not well")</script><img src="/gone.png">',
  '/blank': '<div></div>',
};
require('node:http').createServer((request, response) => {
  const page = pages[request.url];
  response.statusCode = request.url === '/broken' ? 500 : page ? 200 : 404;
  response.setHeader('content-type', 'text/html');
  response.end(page ?? 'nothing here');
}).listen(process.env.HARNESS_PORT, '127.0.0.1');
`;

function makeBrowser() {
  const home = makeDir();
  const dir = join(home, 'tree');
  mkdirSync(dir);
  writeFileSync(join(dir, 'server.cjs'), SERVER);
  const random = createRandom();
  const shell = createShell({ workerId: 'w-look', random, passEnv: ['HARNESS_AGENT_MODULES'] });
  const program = [process.execPath, inject('harnessProgram')];
  const browser = createBrowser({ shell, random, home, projectRoot: MODULES, program });
  const request: CaptureRequest = {
    ...{
      dir,
      command: 'node server.cjs',
      url: 'http://127.0.0.1:HARNESS_PORT',
      pages: ['/'],
      readyMs: 20_000,
    },
    viewports: [{ width: 640, height: 480 }],
    signal: new AbortController().signal,
  };
  return { browser, request, home };
}

it('a browser that is not there is said to be missing, with the way to get it', () => {
  expect(findBrowser('/nowhere', '/nowhere')).toMatch(/npm install|apt install/);
  const { browser } = makeBrowser();
  expect(typeof browser.missing).toBe(typeof found === 'string' ? 'string' : 'object');
});

describe.skipIf(typeof found === 'string')(
  `a real browser${typeof found === 'string' ? ` (${found})` : ''}`,
  () => {
    it('sees pages as they are, and hears what they complain about', { timeout: 60_000 }, async () => {
      const { browser, request, home } = makeBrowser();
      const { problem, screenshots } = await browser.capture({
        ...request,
        pages: ['/', '/blank', '/broken'],
      });
      expect(problem).toBeNull();
      const [whole, blank, broken] = screenshots;
      expect(whole).toMatchObject({
        status: 200,
        isBlank: false,
        errors: expect.arrayContaining(['not well']),
      });
      expect(whole?.failures.join()).toContain('/gone.png: 404');
      expect(
        Buffer.from(whole?.png ?? [])
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      expect([blank?.isBlank, broken?.status]).toEqual([true, 500]);
      expect(readdirSync(join(home, 'captures'))).toEqual([]);
    });

    it('says why an application does not come up', { timeout: 60_000 }, async () => {
      const { browser, request } = makeBrowser();
      const { problem, screenshots } = await browser.capture({
        ...request,
        command: 'echo no database; exit 3',
      });
      expect(problem).toMatch(/ended with 3\nno database/);
      expect(screenshots).toEqual([]);
    });

    it('leaves no process behind', { timeout: 60_000 }, async () => {
      const { browser, request } = makeBrowser();
      const name = `harness-look-${process.pid}`;
      const command = `setsid node server.cjs ${name}`;
      await browser.capture({ ...request, command });
      const commands = readdirSync('/proc')
        .filter(pid => /^\d+$/.test(pid))
        .map(readCommand);
      expect(commands.filter(line => line.includes(name))).toEqual([]);
    });
  },
);

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
