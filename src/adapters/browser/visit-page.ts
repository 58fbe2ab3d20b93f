import type { SiteLimits } from '../../core/site/site-limits.ts';
import type { LeftOut, SeenPage } from '../../core/site/site-spec.ts';
import type { PlaywrightBrowser, PlaywrightContext } from './playwright.ts';
import { readPageFacts } from './read-page-facts.ts';

/** Pages that poll for ever are never idle. */
const SETTLE_MS = 2_000;

export interface Visit {
  readonly userAgent: string;
  readonly proxy: Parameters<PlaywrightBrowser['newContext']>[0]['proxy'];
  readonly limits: Pick<SiteLimits, 'openMs' | 'pageMs' | 'viewports'>;
  readonly signal: AbortSignal;
}

interface Visited {
  readonly page: SeenPage;
  /** What it wanted to send. */
  readonly refused: readonly LeftOut[];
}

/** Looks at one page with nothing kept from others. A script that never ends holds everything up but the closing. */
export async function visitPage(browser: PlaywrightBrowser, url: string, visit: Visit): Promise<Visited> {
  const { userAgent, proxy, limits, signal } = visit;
  const [viewport = { width: 1440, height: 1000 }] = limits.viewports;
  const context = await browser.newContext({
    ...{ viewport, userAgent, proxy },
    serviceWorkers: 'block',
    acceptDownloads: false,
  });
  const refused = new Map<string, number>();
  try {
    const work = look(context, url, limits, refused);
    work.catch(() => undefined);
    const page = await Promise.race([work, getEnd(limits.pageMs, signal)]);
    return {
      page,
      refused: [...refused].map(([method, count]) => ({
        what: `${count} ${method} requests of ${url}`,
        why: 'only GET and HEAD are sent',
      })),
    };
  } finally {
    await context.close();
  }
}

async function look(
  context: PlaywrightContext,
  url: string,
  limits: Visit['limits'],
  refused: Map<string, number>,
): Promise<SeenPage> {
  // TLS hides the method from the proxy.
  await context.route('**/*', route => {
    const method = route.request().method();
    if (method === 'GET' || method === 'HEAD') return route.continue();
    refused.set(method, (refused.get(method) ?? 0) + 1);
    return route.abort();
  });
  const page = await context.newPage();
  context.on('page', popup => void popup.close().catch(() => undefined));
  const { openMs: timeout, viewports } = limits;
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout });
  const status = response?.status() ?? 0;
  if (status >= 400) throw new Error(`it answers with ${status}`);
  for (const state of ['load', 'networkidle'] as const)
    await page.waitForLoadState(state, { timeout: SETTLE_MS }).catch(() => undefined);
  const facts = await readPageFacts(context, page);
  const screenshots: SeenPage['screenshots'][number][] = [];
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    screenshots.push({ viewport, png: await page.screenshot({ timeout }) });
  }
  return { url: page.url(), facts, screenshots };
}

function getEnd(pageMs: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const end = AbortSignal.any([signal, AbortSignal.timeout(pageMs)]);
    const say = () =>
      fail(
        new Error(signal.aborted ? 'the time for the site was over' : `not seen within ${pageMs / 1000} s`),
      );
    if (end.aborted) say();
    else end.addEventListener('abort', say, { once: true });
  });
}
