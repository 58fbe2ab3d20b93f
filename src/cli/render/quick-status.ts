import { fstatSync, realpathSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { readQuickView } from '../../app/look/read-quick.ts';
import { getNextView, getStatusView } from '../../app/look/status-view.ts';
import type { IndexView } from '../../app/project/index-view.ts';
import type { Io } from '../terminal/io.ts';
import { createStyle } from '../terminal/style.ts';
import { getNextExitCode, renderNext, renderStatus } from './status-text.ts';

/** Answers `status` or `next` from the index alone; false when that is not enough. */
export function runQuick(name: 'status' | 'next', args: readonly string[], io: Io): boolean {
  let answer: Answer | null = null;
  try {
    const asked = getAsked(name, args, io);
    answer = asked && readQuickView(asked, view => getAnswer(name, view, asked, io));
  } catch {
    // Whatever is wrong, the long way says it better.
  }
  if (answer === null) return false;
  io.exit(answer.code);
  write(`${answer.text}\n`);
  return true;
}

interface Asked {
  readonly cwd: string;
  readonly env: Io['env'];
  readonly json: boolean;
  readonly all: boolean;
}

/** The flags, where they are simple; null leaves them to the real parser. */
function getAsked(name: string, args: readonly string[], io: Io): Asked | null {
  const { env } = io;
  let asked: Asked = { env, cwd: env.HARNESS_TARGET_REPO || io.cwd, json: false, all: false };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const value = args[at + 1];
    if (arg === '--json') asked = { ...asked, json: true };
    else if (arg === '--all' && name === 'status') asked = { ...asked, all: true };
    else if (arg === '--repo' && value && !value.startsWith('-')) asked = { ...asked, cwd: args[++at] ?? '' };
    else return null;
  }
  return { ...asked, cwd: realpathSync(resolve(io.cwd, asked.cwd)) };
}

interface Answer {
  readonly text: string;
  readonly code: number;
}

function getAnswer(name: 'status' | 'next', view: IndexView, { json, all }: Asked, io: Io): Answer {
  const style = () => createStyle(canColour(io));
  if (name === 'next') {
    const next = getNextView(view);
    const text = json ? JSON.stringify(next) : renderNext(next, style());
    return { text, code: getNextExitCode(next) };
  }
  const status = getStatusView(view, { all });
  return { text: json ? JSON.stringify(status) : renderStatus(status, style()), code: 0 };
}

/** Asks for the stream only where stdout could be a terminal: a file or a pipe is seen without it. */
function canColour(io: Io): boolean {
  return (Boolean(io.env.FORCE_COLOR) || fstatSync(1).isCharacterDevice()) && io.colourOut;
}

/** Straight to the descriptor, since opening the stream takes longer; what a full pipe refuses goes through it. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') process.stdout.write(bytes.subarray(at));
  }
}
