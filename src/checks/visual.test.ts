import { describe, expect, it } from 'vitest';
import { type CheckCase, createCheckContext } from '../../test/support/check-bench.ts';
import type { VisualPolicy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import type { Browser, CaptureRequest, CaptureResult, Screenshot } from '../ports/index.ts';
import { human } from './human.ts';
import { visual } from './visual.ts';

const SETTINGS: VisualPolicy = {
  ...{ mode: 'auto', command: 'npm start', url: 'http://localhost:HARNESS_PORT', pages: ['/'], readyMs: 1 },
  viewports: [{ width: 1280, height: 720 }],
};
const WHOLE: Screenshot = {
  ...{ page: '/', viewport: { width: 1280, height: 720 }, status: 200, isBlank: false },
  ...{ errors: [], failures: [], png: new TextEncoder().encode('a picture') },
};
const sees = (changes: Partial<Screenshot> = {}): CaptureResult => ({
  problem: null,
  screenshots: [{ ...WHOLE, ...changes }],
});
const DOWN: CaptureResult = { problem: 'nothing listens', screenshots: [] };

interface Given {
  readonly before?: CaptureResult;
  readonly after?: CaptureResult;
  readonly settings?: VisualPolicy | null;
  readonly task?: Partial<TaskDef>;
  readonly browser?: Browser | null;
}

/** A browser that sees these things, and what the check makes of them. */
async function check(given: Given = {}) {
  const { before = sees(), after = sees(), settings = SETTINGS, task = { visual: [] } } = given;
  const asked: CaptureRequest[] = [];
  const browser: Browser = {
    missing: null,
    capture: async request => {
      asked.push(request);
      return asked.length === 1 ? after : before;
    },
  };
  const policy: CheckCase['policy'] = { visual: settings };
  const { ctx, written } = await createCheckContext({ task, policy });
  const own = given.browser === null ? {} : { browser: given.browser ?? browser };
  const whole = { ...ctx, attempt: { session: 7 }, ports: { ...ctx.ports, ...own } };
  return { result: await visual(whole), asked, written, ctx: whole };
}

describe('visual', () => {
  it.each<[string, Given, string]>([
    ['a page that is whole, before and after', {}, 'passed'],
    ['a page that is blank now', { after: sees({ isBlank: true }) }, 'failed'],
    ['a page that breaks now', { after: sees({ status: 500 }) }, 'failed'],
    ['a page that cannot be loaded now', { after: sees({ status: null, png: null }) }, 'failed'],
    [
      'a page that was blank before',
      { before: sees({ isBlank: true }), after: sees({ isBlank: true }) },
      'passed',
    ],
    [
      'a page that was not there before',
      { before: sees({ status: 404, isBlank: true }), after: sees({ isBlank: true }) },
      'failed',
    ],
    ['a new complaint', { after: sees({ errors: ['x is not defined'] }) }, 'warned'],
    ['a new request that fails', { after: sees({ failures: ['/logo.png: 404'] }) }, 'warned'],
    [
      'an old complaint',
      { before: sees({ errors: ['at :8123'] }), after: sees({ errors: ['at :9001'] }) },
      'passed',
    ],
    ['an application that no longer comes up', { after: DOWN }, 'failed'],
    ['an application that never came up', { before: DOWN, after: DOWN }, 'warned'],
    ['a browser that fails, where that is fine', { after: { ...DOWN, isBrowserFault: true } }, 'warned'],
    ['a task that asks for no look', { task: {} }, 'skipped'],
    ['a project with no application', { settings: null }, 'needs-human'],
    ['a project that wants none', { settings: { ...SETTINGS, mode: 'off' } }, 'skipped'],
    ['no browser, where that is fine', { browser: null }, 'warned'],
    [
      'no browser, where there must be one',
      { browser: null, settings: { ...SETTINGS, mode: 'required' } },
      'inconclusive',
    ],
  ])('%s', async (_, given, status) => {
    expect((await check(given)).result.status).toBe(status);
  });

  it('says what is missing', async () => {
    const browser: Browser = { missing: 'there is no Chromium', capture: async () => DOWN };
    expect((await check({ browser })).result.summary).toContain('there is no Chromium');
  });

  it('looks at the pages that the steps name, on both sides', async () => {
    const { asked } = await check({
      task: { visual: ['Navigate to /profile/settings', 'Look for 1/2 pages'] },
    });
    expect(asked.map(({ pages }) => pages)).toEqual([
      ['/', '/profile/settings'],
      ['/', '/profile/settings'],
    ]);
    expect(new Set(asked.map(({ dir }) => dir)).size).toBe(2);
  });

  it('keeps the pictures with the session, and puts them before the person', async () => {
    const { result, written, ctx } = await check({ task: { verificationType: 'hybrid' } });
    const paths = result.artifacts?.map(({ path }) => path);
    expect(paths).toEqual([
      'sessions/session-7-task-1/screenshots/before-+2f+-1280x720.png',
      'sessions/session-7-task-1/screenshots/after-+2f+-1280x720.png',
    ]);
    expect([...written.keys()]).toEqual(paths);
    expect((await human({ ...ctx, earlier: [result] })).findings).toContain(`screenshot: ${paths?.[1]}`);
  });
});
