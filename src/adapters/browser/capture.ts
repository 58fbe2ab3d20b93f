import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorMessage } from '../../core/base/failure.ts';
import type { CaptureRequest, Screenshot } from '../../ports/index.ts';
import { startApplication } from '../process/start-application.ts';
import type { FoundBrowser } from './find-browser.ts';
import { loadPlaywright, type PlaywrightBrowser, type PlaywrightPage } from './playwright.ts';

/** What the process in the box is told: the request, and what it does it with. */
export interface CaptureJob extends Omit<CaptureRequest, 'signal'>, Omit<FoundBrowser, 'version'> {
  /** Pictures and the answer go here. */
  readonly out: string;
}

/** What it says in the end. */
export interface CaptureAnswer {
  readonly problem: string | null;
  readonly isBrowserFault?: boolean;
  readonly screenshots: readonly (Omit<Screenshot, 'png'> & { readonly file: string | null })[];
}

export const ANSWER_FILE = 'answer.json';

const PAGE_MS = 20_000;
/** Pages that poll for ever are never idle. */
const SETTLE_MS = 2_000;
const MAX_LINES = 20;

/** `harness look`: started by the harness itself, in the box where the application runs as well. */
export async function capture(jobFile: string): Promise<void> {
  const job = JSON.parse(readFileSync(jobFile, 'utf8')) as CaptureJob;
  const answer = await getAnswer(job).catch(
    (error: unknown): CaptureAnswer => ({
      problem: getErrorMessage(error),
      isBrowserFault: true,
      screenshots: [],
    }),
  );
  const file = join(job.out, ANSWER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(answer));
  renameSync(`${file}.part`, file);
  // An application that left its group still holds our pipes; whoever started us ends it.
  process.exit(0);
}

async function getAnswer(job: CaptureJob): Promise<CaptureAnswer> {
  if (job.pages.length === 0) return getStarted(job);
  const { chromium } = await loadPlaywright(job);
  const application = await startApplication(job);
  if ('fault' in application) {
    const { fault, why } = application;
    return { problem: why, isBrowserFault: fault !== 'down', screenshots: [] };
  }
  try {
    // The box is the sandbox; Chromium's own cannot be set up inside it, nor by root.
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    const browser = await chromium.launch({ executablePath: job.program, args, headless: true });
    try {
      return { problem: null, screenshots: await captureAll(browser, application.url, job) };
    } finally {
      await browser.close();
    }
  } finally {
    application.stop();
  }
}

/** Whether it comes up is all that is asked: that takes no browser. */
async function getStarted(job: CaptureJob): Promise<CaptureAnswer> {
  const application = await startApplication(job);
  if ('fault' in application) {
    const { fault, why } = application;
    return { problem: why, isBrowserFault: fault !== 'down', screenshots: [] };
  }
  application.stop();
  return { problem: null, screenshots: [] };
}

async function captureAll(
  browser: PlaywrightBrowser,
  origin: string,
  job: CaptureJob,
): Promise<CaptureAnswer['screenshots']> {
  const screenshots: CaptureAnswer['screenshots'][number][] = [];
  for (const path of job.pages) {
    for (const viewport of job.viewports) {
      const page = await browser.newPage({ viewport });
      const file = `${screenshots.length}.png`;
      const seen = await capturePage(page, new URL(path, origin).href, join(job.out, file));
      await page.close();
      screenshots.push({ page: path, viewport, ...seen, file: seen.status === null ? null : file });
    }
  }
  return screenshots;
}

async function capturePage(page: PlaywrightPage, url: string, file: string) {
  const errors: string[] = [];
  const failures: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', error => errors.push(error.message));
  page.on('requestfailed', request =>
    failures.push(`${request.url()}: ${request.failure()?.errorText ?? 'failed'}`),
  );
  page.on('response', response => {
    if (response.status() >= 400) failures.push(`${response.url()}: ${response.status()}`);
  });
  try {
    const response = await page.goto(url, { waitUntil: 'load', timeout: PAGE_MS });
    await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => undefined);
    const isBlank = (await page.evaluate(IS_BLANK)) === true;
    await page.screenshot({ path: file });
    return { status: response?.status() ?? null, isBlank, ...getLines(errors, failures) };
  } catch (error) {
    errors.push(getErrorMessage(error));
    return { status: null, isBlank: true, ...getLines(errors, failures) };
  }
}

function getLines(errors: readonly string[], failures: readonly string[]) {
  const cut = (lines: readonly string[]) => lines.slice(0, MAX_LINES).map(line => line.slice(0, 500));
  return { errors: cut(errors), failures: cut(failures) };
}

/** Nothing to read, and no picture, drawing or control that takes up room. */
const IS_BLANK = `(() => {
  const body = document.body;
  if (!body) return true;
  if (body.innerText.trim() !== '') return false;
  const seen = body.querySelectorAll('img,svg,canvas,video,iframe,input,button,select,textarea');
  return ![...seen].some(one => { const box = one.getBoundingClientRect(); return box.width > 0 && box.height > 0; });
})()`;
