import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { captureSite } from '../../adapters/browser/capture-site.ts';
import { findBrowser } from '../../adapters/browser/find-browser.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { readViewport, SITE_LIMITS, type SiteLimits } from '../../core/site/site-limits.ts';
import { getScreenshotName, getSiteSpec, type LeftOut, type SeenSite } from '../../core/site/site-spec.ts';
import { type AllowedHost, getHost, readAllowedHost, readSiteUrl } from '../../core/site/site-url.ts';
import { findGitDirs, type Where } from '../project/open-checkout.ts';
import { getWatch } from '../project/watch.ts';

export interface CaptureInput {
  readonly url: string;
  /** What the document is called; after the site when not said. */
  readonly name?: string;
  readonly maxPages?: number;
  /** As `390x844`. */
  readonly viewport?: readonly string[];
  /** What matters, in a person's words. */
  readonly notes?: string;
  /** Whether a document of that name may be replaced. */
  readonly force?: boolean;
  /** The one host that may have a private address. */
  readonly allowPrivate?: string;
  /** Whether a plan is made of it next, which only a project that is set up can have. */
  readonly plan?: boolean;
  readonly signal?: AbortSignal;
}

export interface CaptureResult {
  /** The project's folder. */
  readonly root: string;
  /** The document, in the project. */
  readonly spec: string;
  readonly pages: readonly string[];
  readonly screenshots: readonly string[];
  readonly left: readonly LeftOut[];
}

const SPECS_DIR = 'docs/specs';

/** Writes down what a site shows, as a document to plan from. Nothing is written unless something was seen. */
export async function captureSpec(where: Where, input: CaptureInput): Promise<CaptureResult> {
  const { root } = await findGitDirs(where);
  const { url, allowed, limits } = readRequest(input);
  const name = getName(input.name, url);
  const spec = `${SPECS_DIR}/${name}.md`;
  refuseTaken(root, { name, spec, force: input.force ?? false });
  if (input.plan && findConfigFile(root) === null)
    throw new HarnessError('usage', 'this project has not been set up yet', {
      fix: `harness capture ${url.href} --no-plan, then harness init --spec ${spec}`,
    });
  const { signal } = getWatch(input);
  const browser = findBrowser(root);
  if (typeof browser === 'string')
    throw new HarnessError('environment', 'there is no browser to look with', { fix: browser });
  const site = await captureSite(browser, { url, allowed, limits, signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new HarnessError('cancelled', 'the capture was cancelled; nothing was written', {
      fix: 'capture again when you are ready',
    });
  });
  const screenshots = writeSite(root, name, site, input.notes);
  return { root, spec, pages: site.pages.map(page => page.url), screenshots, left: site.left };
}

function readRequest({
  url: text,
  allowPrivate,
  maxPages = SITE_LIMITS.pages,
  viewport = [],
}: CaptureInput): {
  readonly url: URL;
  readonly allowed: AllowedHost | null;
  readonly limits: SiteLimits;
} {
  const url = readSiteUrl(text);
  if (typeof url === 'string')
    throw getUsageError('<url>', `${text} is not opened: ${url}`, 'name a page: https://example.com/');
  const allowed = allowPrivate === undefined ? null : readAllowedHost(allowPrivate, url);
  if (allowPrivate !== undefined && allowed === null)
    throw getUsageError(
      '--allow-private',
      `${allowPrivate} is no host`,
      `name one host: --allow-private ${url.host}`,
    );
  if (maxPages > SITE_LIMITS.pages)
    throw getUsageError(
      '--max-pages',
      `no more than ${SITE_LIMITS.pages} pages are looked at`,
      'capture the other part under a name of its own',
    );
  const viewports = viewport.map(size => {
    const read = readViewport(size);
    if (read === null)
      throw getUsageError('--viewport', `${size} is no size`, 'width and height: --viewport 390x844');
    return read;
  });
  const limits = { ...SITE_LIMITS, pages: maxPages };
  return { url, allowed, limits: viewports.length > 0 ? { ...limits, viewports } : limits };
}

function getName(given: string | undefined, url: URL): string {
  if (given !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(given))
    throw getUsageError(
      '--name',
      `${given} is no name of a file`,
      'letters, digits, dots and dashes: --name shop',
    );
  const parts = `${getHost(url)}${url.pathname}`.toLowerCase().match(/[a-z0-9]+/g) ?? ['site'];
  return given ?? parts.join('-').slice(0, 80);
}

function refuseTaken(
  root: string,
  { name, spec, force }: { readonly name: string; readonly spec: string; readonly force: boolean },
): void {
  const taken = [spec, `${SPECS_DIR}/${name}`].find(path => existsSync(join(root, path)));
  if (taken === undefined || force) return;
  throw getUsageError(
    '--name',
    `${taken} is there already`,
    '--name gives another name, --force replaces it',
  );
}

/** The screenshots first: a document that is there has all that it names. */
function writeSite(root: string, name: string, site: SeenSite, notes = ''): readonly string[] {
  const folder = `${SPECS_DIR}/${name}`;
  removeScreenshots(join(root, folder));
  const written = site.pages.flatMap(({ screenshots }, at) =>
    screenshots.map(({ viewport, png }) => {
      const path = `${folder}/${getScreenshotName(at, viewport)}`;
      writeAtomic(join(root, path), png, { durable: false });
      return path;
    }),
  );
  writeAtomic(join(root, `${SPECS_DIR}/${name}.md`), getSiteSpec(site, { name, notes }), { durable: false });
  return written;
}

/** Those of an earlier capture; whatever else is there is somebody's. */
function removeScreenshots(folder: string): void {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder))
    if (/^\d+-\d+x\d+\.png$/.test(file)) rmSync(join(folder, file), { force: true });
}

function getUsageError(field: string, message: string, fix: string): HarnessError {
  return new HarnessError('usage', message, { field, fix });
}
