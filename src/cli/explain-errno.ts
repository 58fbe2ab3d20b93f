import { HarnessError } from '../core/failure.ts';

type Explain = (path: string) => { readonly text: string; readonly fix: string };

/** What the system's own codes mean for a person, by the path that it gave with them. */
const MEANINGS: Readonly<Record<string, Explain>> = {
  EISDIR: path => ({ text: `${path} is a folder, and a file is wanted there`, fix: 'name a file' }),
  ENOTDIR: path => ({
    text: `a file stands where a folder is wanted: ${path}`,
    fix: 'name another place, or move that file away',
  }),
  EEXIST: path => ({ text: `${path} is there already`, fix: 'name another place, or move it away' }),
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
export function explainErrno(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HarnessError) return error;
  const { code = '', path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const explain = MEANINGS[ALIKE[code] ?? code];
  // Of a move, the place it goes to is the one that somebody named.
  const place = dest ?? path;
  if (!explain || place === undefined) return error;
  const { text, fix } = explain(place);
  return new HarnessError('environment', text, { file: place, fix });
}
