import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { CHECK_NAMES } from '../../src/core/model/check.ts';
import type { EndToEndPolicy } from '../../src/core/model/policy.ts';
import type { Files } from '../support/bench.ts';
import { judgeForReal } from '../support/real-checks.ts';

const SERVER = `import { createServer } from 'node:http';
import { getTotal } from './total.mjs';
createServer((_, response) => response.end(String(getTotal([1, 2])))).listen(Number(process.env.PORT), '127.0.0.1');
`;
const TEST = `import assert from 'node:assert';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('the total of a cart', async () => {
  const url = 'http://127.0.0.1:' + process.env.PORT;
  const total = await (await fetch(url)).text();
  mkdirSync('shots/deep', { recursive: true });
  writeFileSync('shots/deep/total.txt', total + ' ' + process.env.CI + ' ' + (process.env.PORT === process.env.HARNESS_PORT));
  symlinkSync('/etc/passwd', 'shots/link.txt');
  assert.equal(total, '3');
});
test('the answer has a status', async () => {
  assert.equal((await fetch('http://127.0.0.1:' + process.env.PORT)).status, 200);
});
`;
const RIGHT = 'export const getTotal = prices => prices.reduce((sum, price) => sum + price, 0);\n';
const WRONG = "export const getTotal = prices => prices.join('');\n";
const BASE: Files = {
  'server.mjs': SERVER,
  'total.mjs': RIGHT,
  'e2e/shop.test.mjs': TEST,
  'package.json': '{}',
};

const without = CHECK_NAMES.filter(name => name !== 'e2e');
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server of somebody else's, which answers what the tests want to hear. */
async function startForeign(): Promise<number> {
  const server = createServer((_, response) => response.end('3'));
  servers.push(server);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function judge(change: Files, base = BASE, url = 'http://127.0.0.1:HARNESS_PORT') {
  const e2e: EndToEndPolicy = {
    ...{ command: 'node --test e2e/shop.test.mjs', runner: 'node', artifactDirs: ['shots'] },
    application: { command: 'node server.mjs', url, readyMs: 20_000 },
  };
  const testing = { runner: 'node', full: null, feature: null, reportPath: null } as const;
  const { results, written } = await judgeForReal({
    ...{ base, change, testFile: null, without, attempt: { session: 1 } },
    policy: { e2e, testing, reruns: 1 },
    program: [process.execPath, inject('harnessProgram')],
  });
  return { result: results[0], written };
}

describe('the end-to-end gate on a real server', { timeout: 120_000 }, () => {
  it('lets pass what is green, and keeps what the run left: nothing that was committed, and no link', async () => {
    const forged = { ...BASE, 'shots/forged.txt': 'all is well\n' };
    const { result, written } = await judge(
      { 'notes.md': 'x\n', 'shots/proof.txt': 'all is well\n' },
      forged,
    );
    expect(result).toMatchObject({ status: 'passed', summary: '2 end-to-end tests pass, none got worse' });
    expect(Object.fromEntries(written)).toEqual({
      'sessions/session-1-task-1/e2e/shots/deep/total.txt': '3 1 true',
    });
  });

  it('blames the change for what is newly red, and names it', async () => {
    const { result } = await judge({ 'total.mjs': WRONG });
    expect(result).toMatchObject({
      status: 'failed',
      failing: ['e2e/shop.test.mjs > the total of a cart'],
    });
    expect(result?.findings[0]).toContain("'12' == '3'");
  });

  it('blames nobody for what was red before', async () => {
    const { result } = await judge({ 'notes.md': 'x\n' }, { ...BASE, 'total.mjs': WRONG });
    expect(result).toMatchObject({ status: 'warned' });
  });

  it('blames the change for an application that no longer comes up', async () => {
    const { result } = await judge({ 'total.mjs': 'throw new Error("no prices");\n' });
    expect(result).toMatchObject({ status: 'failed', summary: 'the application no longer comes up' });
    expect(result?.findings.join()).toContain('getTotal');
  });

  it('never takes the server of somebody else for ours', async () => {
    const port = await startForeign();
    const { result } = await judge({ 'total.mjs': WRONG }, BASE, `http://127.0.0.1:${port}`);
    expect(result).toMatchObject({ status: 'inconclusive', measures: { environment: 1 } });
    expect(result?.summary).toContain('was not started here');
  });
});
