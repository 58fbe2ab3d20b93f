import { HarnessError, ObjectGone } from '../../../core/base/failure.ts';
import type { GitResult } from './run-git.ts';

const RULES: readonly {
  readonly pattern: RegExp;
  readonly get: (match: RegExpExecArray, place: string) => HarnessError;
}[] = [
  {
    pattern: /Unable to create '(.+?\.lock)': File exists/s,
    get: match => getLockError(match[1] ?? 'a lock file'),
  },
  {
    pattern: /No space left on device|Out of diskspace|Disk quota exceeded/,
    get: (_, place) =>
      new HarnessError('environment', `the disk is full: git could not write in ${place}`, {
        fix: 'free some space, then run the command again',
      }),
  },
  {
    pattern: /detected dubious ownership in repository at '(.+?)'/s,
    get: match =>
      new HarnessError('repo', `git refuses ${match[1]} because another user owns it`, {
        file: match[1] ?? '',
        fix: `git config --global --add safe.directory '${match[1]}'`,
      }),
  },
  {
    pattern: /Permission denied|Operation not permitted|Read-only file system/,
    get: (_, place) =>
      new HarnessError('environment', `git may not read or write in ${place}`, {
        file: place,
        fix: `check the owner and permissions of ${place}`,
      }),
  },
  {
    pattern: /not a git repository/i,
    get: (_, place) =>
      new HarnessError('repo', `${place} is not in a git repository`, {
        file: place,
        fix: 'go to your project, or start one with `git init`',
      }),
  },
  {
    pattern:
      /bad object|missing (blob|tree|commit|object)|unable to (read|parse)|corrupt|loose object|not a valid object|broken|could not get object info|failed to unpack tree|invalid object|nonexistent object|unknown revision or path|unable to migrate objects|\/objects\/[^\n]*No such file or directory/i,
    get: (_, place) =>
      new ObjectGone(
        `git cannot read an object of ${place}: the repository is damaged, or a partial clone lacks it`,
        place,
      ),
  },
];

/** What a failed git command means for the person: the problem in words, git's own line, and the way out. */
export function getGitError(doing: string, result: GitResult, place: string): HarnessError {
  for (const rule of RULES) {
    const match = rule.pattern.exec(result.stderr);
    if (!match) continue;
    const error = rule.get(match, place);
    const message = `${doing}: ${error.message} (${getFirstLine(result)})`;
    if (error instanceof ObjectGone) return new ObjectGone(message, place);
    return new HarnessError(error.code, message, error.details);
  }
  return new HarnessError('repo', `${doing}: git failed with code ${result.code}: ${getFirstLine(result)}`, {
    file: place,
    fix: 'run `git status` and `git fsck` there to see what is wrong',
  });
}

/** A lock of somebody else's git: named, and never removed by us. */
export function getLockError(lock: string): HarnessError {
  return new HarnessError('locked', `another git process holds ${lock}, or died and left it`, {
    file: lock,
    fix: `wait for that process to end; if no git is running in this repository: rm '${lock}'`,
  });
}

function getFirstLine(result: GitResult): string {
  const lines = result.stderr.split('\n').filter(line => line.trim() !== '' && !line.startsWith('hint:'));
  return lines.find(line => /^(fatal|error):/.test(line)) ?? lines[0] ?? 'no message';
}
