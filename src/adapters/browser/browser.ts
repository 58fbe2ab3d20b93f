import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { Browser, CaptureRequest, CaptureResult, Random, Shell } from '../../ports/index.ts';
import { ANSWER_FILE, type CaptureAnswer, type CaptureJob } from './capture.ts';
import { findBrowser } from './find-browser.ts';

/** On top of the time an application may take to come up. */
const PER_SCREENSHOT_MS = 30_000;

export interface BrowserOptions {
  /** Contained as tests are: pages run the agent's code. */
  readonly shell: Shell;
  readonly random: Random;
  /** The harness's own folder for what comes out. */
  readonly home: string;
  readonly projectRoot: string;
  /** How this program is started again, in the box. */
  readonly program: readonly string[];
}

/** A browser that runs beside the application, in the same box, and is gone with it. */
export function createBrowser(options: BrowserOptions): Browser {
  let found: ReturnType<typeof findBrowser> | null = null;
  const find = () => {
    found ??= findBrowser(options.projectRoot);
    return found;
  };
  return {
    get missing() {
      const browser = find();
      return typeof browser === 'string' ? browser : null;
    },
    capture: async request => {
      const browser = request.pages.length === 0 ? NO_BROWSER : find();
      if (typeof browser === 'string') return { problem: browser, isBrowserFault: true, screenshots: [] };
      const out = join(options.home, 'captures', options.random.token());
      mkdirSync(out, { recursive: true, mode: 0o700 });
      try {
        return await runCapture(options, request, { ...getJob(request), ...browser, out });
      } finally {
        rmSync(out, { recursive: true, force: true });
      }
    },
  };
}

/** For an application that is only started. */
const NO_BROWSER = { entry: '', program: '' } as const;

function getJob({ dir, command, url, pages, viewports, readyMs }: CaptureRequest) {
  return { dir, command, url, pages, viewports, readyMs };
}

async function runCapture(
  options: BrowserOptions,
  request: CaptureRequest,
  job: CaptureJob,
): Promise<CaptureResult> {
  const file = join(job.out, 'job.json');
  writeFileSync(file, JSON.stringify(job));
  const command = [...options.program, 'look', '--job', file].map(getShellQuoted).join(' ');
  const count = job.pages.length * job.viewports.length;
  const { output, timedOut } = await options.shell.run({
    command,
    cwd: request.dir,
    surroundings: request.surroundings ?? {},
    timeoutMs: request.readyMs + count * PER_SCREENSHOT_MS,
    signal: request.signal,
    writable: [job.out],
    readable: job.entry === '' ? [] : [dirname(job.entry)],
  });
  request.signal.throwIfAborted();
  const answer = readAnswer(job.out);
  if (answer === null) {
    const why = timedOut ? 'looking at it took too long' : 'the browser gave no answer';
    return { problem: `${why}: ${output.slice(-1_500)}`, isBrowserFault: true, screenshots: [] };
  }
  const { problem, isBrowserFault = false } = answer;
  return {
    problem,
    isBrowserFault,
    screenshots: answer.screenshots.map(({ file, ...screenshot }) => ({
      ...screenshot,
      png: readPicture(job.out, file),
    })),
  };
}

function readAnswer(out: string): CaptureAnswer | null {
  try {
    return JSON.parse(readPlain(join(out, ANSWER_FILE)).toString('utf8')) as CaptureAnswer;
  } catch {
    return null;
  }
}

/** A name only: whatever ran in the box could have written a path. */
function readPicture(out: string, file: string | null): Uint8Array | null {
  if (file === null) return null;
  try {
    return readPlain(join(out, basename(file)));
  } catch {
    return null;
  }
}

/** Not through a link, which could show us any file of the user's. */
function readPlain(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
