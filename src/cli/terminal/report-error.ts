import { EXIT_CODES, getErrorMessage, HarnessError } from '../../core/base/failure.ts';
import type { Io } from './io.ts';

/** The one place where an error becomes words and an exit code. */
export function reportError(io: Io, thrown: unknown, json: boolean): void {
  const error = explainErrno(thrown);
  const known = error instanceof HarnessError;
  const code = known ? error.code : isAbort(error) ? 'cancelled' : 'internal';
  const message = getErrorMessage(error);
  io.exit(isAbort(error) ? 130 : EXIT_CODES[code]);
  if (json) {
    io.out(JSON.stringify({ error: { code, message, details: known ? error.details : {} } }));
    return;
  }
  io.err(`error: ${message}`);
  if (!known) {
    if (code === 'internal' && error instanceof Error && io.env.HARNESS_DEBUG) io.err(error.stack ?? '');
    return;
  }
  const { file, field, fix } = error.details;
  if (file && !message.includes(file)) io.err(`  in:  ${file}`);
  if (field && !message.includes(field)) io.err(`  at:  ${field}`);
  if (fix) io.err(`  fix: ${fix.replaceAll('\n', '\n       ')}`);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

type Explain = (path: string) => { readonly text: string; readonly fix: string };

/** What the system's own codes mean for a person, by the path that it gave with them. */
const MEANINGS: Readonly<Record<string, Explain>> = {
  EISDIR: path => ({ text: `${path} is a folder, and a file is wanted there`, fix: 'name a file' }),
  ENOTDIR: path => ({
    text: `a file stands where a folder is wanted: ${path}`,
    fix: 'name another place, or move that file away',
  }),
  EEXIST: path => ({ text: `${path} already exists`, fix: 'name another place, or move it away' }),
  ENOENT: path => ({ text: `${path} does not exist`, fix: 'check the path' }),
  ENOTEMPTY: path => ({ text: `${path} is not empty`, fix: 'name another place, or move it away' }),
  ELOOP: path => ({ text: `${path} is a link that leads back to itself`, fix: 'remove that link' }),
  ENAMETOOLONG: path => ({ text: `${path} is too long a name for this disk`, fix: 'choose a shorter one' }),
  EACCES: path => ({
    text: `${path} may not be read or written by this user`,
    fix: `check the owner and permissions: ls -ld '${path}'`,
  }),
  EROFS: path => ({
    text: `${path} is on a disk that may only be read`,
    fix: 'name a place on another disk',
  }),
  ENOSPC: path => ({
    text: `the disk is full: ${path} could not be written`,
    fix: 'free some space and run the command again; nothing has been lost',
  }),
  EMFILE: () => ({ text: 'too many files are open at once', fix: 'raise the limit: ulimit -n 4096' }),
  EIO: path => ({ text: `the disk failed on ${path}`, fix: 'check the disk, then run the command again' }),
};

const ALIKE: Readonly<Record<string, string>> = { EPERM: 'EACCES', EDQUOT: 'ENOSPC', ENFILE: 'EMFILE' };

/** An error of the file system in the words of a person; anything else stays as it is. */
function explainErrno(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HarnessError) return error;
  const { code = '', path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const explain = MEANINGS[ALIKE[code] ?? code];
  // Of a move, the place it goes to is the one that somebody named.
  const place = dest ?? path;
  if (!explain || place === undefined) return error;
  const { text, fix } = explain(place);
  return new HarnessError('environment', text, { file: place, fix });
}
