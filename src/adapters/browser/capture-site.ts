import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getErrorMessage, HarnessError } from '../../core/base/failure.ts';
import { isAllowedByRobots } from '../../core/site/robots.ts';
import { PAGE_LIMITS, type SiteLimits } from '../../core/site/site-limits.ts';
import { getLeftLine, type LeftOut, type SeenPage, type SeenSite } from '../../core/site/site-spec.ts';
import { type AllowedHost, readSiteUrl } from '../../core/site/site-url.ts';
import { RefusedAddress } from './connect-checked.ts';
import type { FoundBrowser } from './find-browser.ts';
import { loadPlaywright, type PlaywrightBrowser } from './playwright.ts';
import { ROBOTS_AGENT, readRobots } from './read-robots.ts';
import { openSiteProxy, type SiteProxy } from './site-proxy.ts';
import { visitPage } from './visit-page.ts';

export interface SiteRequest {
  readonly url: URL;
  readonly allowed: AllowedHost | null;
  readonly limits: SiteLimits;
  readonly signal: AbortSignal;
}

/** What a browser does by itself beside pages: names are resolved by the proxy alone, and nothing goes around it. */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  // The proxy counts what comes back for each thing asked; HTTP/2 would mix answers.
  '--disable-http2',
  // WebRTC would go around the proxy; the name of its flag depends on how Chromium was built.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-gpu',
  '--disable-dev-shm-usage',
];

/** Looks at a site of somebody else's: pages of one origin, breadth first, as robots.txt allows. */
export async function captureSite(found: FoundBrowser, request: SiteRequest): Promise<SeenSite> {
  const { limits, allowed } = request;
  const { answerBytes, allBytes, openMs: idleMs } = limits;
  const password = randomBytes(16).toString('hex');
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.allMs)]);
  const proxy = await openSiteProxy({ allowed, password, answerBytes, allBytes, idleMs });
  const home = mkdtempSync(join(tmpdir(), 'harness-site-'));
  try {
    const walk = new Walk({ ...request, signal }, proxy, request.signal);
    await walk.checkStart();
    const browser = await launch(found, proxy.server, home);
    try {
      return await walk.go(browser, password);
    } finally {
      await browser.close();
    }
  } finally {
    await proxy.close();
    // What is left of the browser may still write for a moment.
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** With nothing of our environment: a page that breaks out finds no keys there. */
async function launch(
  { entry, program }: FoundBrowser,
  server: string,
  home: string,
): Promise<PlaywrightBrowser> {
  const { chromium } = await loadPlaywright({ entry });
  try {
    return await chromium.launch({
      executablePath: program,
      args: FLAGS,
      headless: true,
      // Chromium refuses to have one when root starts it.
      chromiumSandbox: process.getuid?.() !== 0,
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
      // What the browser asks for its own sake has no password, so it gets no further.
      proxy: { server, bypass: '<-loopback>' },
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    });
  } catch (error) {
    const [why = ''] = getErrorMessage(error).split('\n');
    throw new HarnessError('environment', `the browser does not start: ${why}`, {
      fix: `see whether it does by itself: ${program} --headless --dump-dom about:blank`,
    });
  }
}

/** The way through one site. */
class Walk {
  private readonly request: SiteRequest;
  private readonly proxy: SiteProxy;
  /** Ends it for good; the request's own ends it with what is there. */
  private readonly cancelled: AbortSignal;
  private readonly robots = new Map<string, Awaited<ReturnType<typeof readRobots>>>();
  private readonly pages: SeenPage[] = [];
  private readonly left: LeftOut[] = [];
  private readonly queue: string[];
  private readonly known: Set<string>;
  private origin: string;

  constructor(request: SiteRequest, proxy: SiteProxy, cancelled: AbortSignal) {
    this.request = request;
    this.proxy = proxy;
    this.cancelled = cancelled;
    this.origin = request.url.origin;
    this.queue = [getBare(request.url)];
    this.known = new Set(this.queue);
  }

  /** What is wrong with the first page is wrong with all of it, and is known before a browser starts. */
  async checkStart(): Promise<void> {
    const { href, host, origin } = this.request.url;
    try {
      const why = await this.getRobotsProblem(href);
      if (why === null) return;
      const isRule = typeof this.robots.get(origin) !== 'string';
      const fix = isRule ? 'name a page that it allows' : 'try again when the site answers';
      throw new HarnessError(isRule ? 'usage' : 'environment', `${href} is not opened: ${why}`, { fix });
    } catch (error) {
      if (this.isOver()) throw this.getNothingSeen([{ what: href, why: this.getEnd() ?? '' }]);
      if (!(error instanceof RefusedAddress)) throw error;
      throw new HarnessError('usage', `${href} is not opened: ${error.message}`, {
        field: '<url>',
        fix: `if that host is yours: --allow-private ${host}`,
      });
    }
  }

  async go(browser: PlaywrightBrowser, password: string): Promise<SeenSite> {
    const { url } = this.request;
    const [major = ''] = browser.version().split('.');
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/${major}.0.0.0 Safari/537.36 ${ROBOTS_AGENT}`;
    const { server, username } = this.proxy;
    const visit = { userAgent, proxy: { server, username, password, bypass: '<-loopback>' } };
    let end: string | null = null;
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      end = this.getEnd();
      if (end !== null) {
        this.queue.unshift(next);
        break;
      }
      const why = await this.take(next, () => visitPage(browser, next, { ...visit, ...this.request }));
      if (why !== null) this.left.push({ what: next, why });
    }
    this.cancelled.throwIfAborted();
    if (this.queue.length > 0)
      this.left.push({ what: `${this.queue.length} more pages of the site`, why: end ?? 'not looked at' });
    const left = [...this.left, ...this.proxy.getRefused()];
    if (this.pages.length === 0) throw this.getNothingSeen(left);
    return { url: url.href, pages: this.pages, left };
  }

  /** One page more, or why not. */
  private async take(url: string, visit: () => ReturnType<typeof visitPage>): Promise<string | null> {
    try {
      const problem = await this.getRobotsProblem(url);
      if (problem !== null) return problem;
      const { page, refused } = await visit();
      this.left.push(...refused);
      return await this.keep(page, url === getBare(this.request.url));
    } catch (error) {
      return getErrorMessage(error).split('\n')[0] ?? '';
    }
  }

  /** Judged by where it was in the end: redirects are followed before anybody is asked. */
  private async keep(page: SeenPage, isStart: boolean): Promise<string | null> {
    const end = readSiteUrl(page.url);
    if (typeof end === 'string') return `it leads to ${page.url.slice(0, 200)}: ${end}`;
    if (end.origin !== this.origin && !isStart) return `it leads to another site: ${end.origin}`;
    const url = getBare(end);
    if (url.length > PAGE_LIMITS.urlLetters) return 'its address is too long to be written down';
    const problem = await this.getRobotsProblem(url);
    if (problem !== null) return `it leads to ${url}: ${problem}`;
    if (this.pages.some(seen => seen.url === url)) return `it leads to a page that was seen: ${url}`;
    this.origin = end.origin;
    this.known.add(url);
    this.pages.push({ ...page, url });
    for (const link of page.facts.links) this.ask(link.url);
    return null;
  }

  private ask(text: string): void {
    // One as long as that may have been cut.
    if (text.length >= PAGE_LIMITS.urlLetters) return;
    const url = readSiteUrl(text);
    if (typeof url === 'string' || url.origin !== this.origin || this.known.has(getBare(url))) return;
    this.known.add(getBare(url));
    this.queue.push(getBare(url));
  }

  private async getRobotsProblem(href: string): Promise<string | null> {
    const { origin, pathname, search } = new URL(href);
    const { limits, signal } = this.request;
    const { connect } = this.proxy;
    const rules = this.robots.get(origin) ?? (await readRobots(origin, { connect, limits, signal }));
    this.robots.set(origin, rules);
    if (typeof rules === 'string') return rules;
    return isAllowedByRobots(rules, `${pathname}${search}`) ? null : 'robots.txt does not allow it';
  }

  private getNothingSeen(left: readonly LeftOut[]): HarnessError {
    const { href } = this.request.url;
    const reasons = left.map(one => `  - ${getLeftLine(one)}`).join('\n');
    return new HarnessError('environment', `nothing was seen of ${href}:\n${reasons}`, {
      fix: `see how ${href} answers in a browser of yours, then capture it again`,
    });
  }

  /** Out of time, and nobody cancelled it. */
  private isOver(): boolean {
    return this.request.signal.aborted && !this.cancelled.aborted;
  }

  private getEnd(): string | null {
    const { limits, signal } = this.request;
    if (this.pages.length >= limits.pages) return `no more than ${limits.pages} are looked at`;
    if (signal.aborted) return `the ${limits.allMs / 1000} s are over`;
    return this.proxy.isSpent() ? 'everything that may be read has been read' : null;
  }
}

/** Without the part that only the browser knows. */
function getBare(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}
