import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Failpoints } from './failpoints.ts';

const CHANGING = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'truncateSync',
  'utimesSync',
  'writeFileSync',
] as const;

type Changing = (typeof CHANGING)[number];

/** Puts a failpoint before and after every change of a file that the harness makes without git. */
export function watchFs(points: Failpoints, intercept: (call: Changing, path: string) => boolean): void {
  let depth = 0;
  for (const call of CHANGING) {
    const original = fs[call] as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      if (depth > 0 || (call === 'openSync' && !/^[wa]/.test(String(args[1])))) return original(...args);
      const path = getPath(call, args);
      if (intercept(call, path)) return undefined;
      const name = `fs.${call.replace('Sync', '')}@${getPlace(path)}`;
      points.pass(`${name}:before`);
      depth++;
      try {
        return original(...args);
      } finally {
        depth--;
        points.pass(`${name}:after`);
      }
    };
    Object.assign(fs, { [call]: watched });
  }
  syncBuiltinESMExports();
}

/** The file that changes: for a move, the place it goes to. */
function getPath(call: Changing, args: readonly unknown[]): string {
  const isMove = call === 'renameSync' || call === 'linkSync' || call === 'copyFileSync';
  return String(isMove ? args[1] : args[0]);
}

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\/harness-intents(\/|$)/, 'intents'],
  [/\/slots\/.*harness\.git/, 'slot-git'],
  [/\/slots\/.*\/\.git(\/|$)/, 'agent-git'],
  [/\/slots(\/|$)/, 'slot'],
  [/\/verify(\/|$)/, 'verify'],
  [/\/cache(\/|$)/, 'cache'],
  [/\/\.git\/index\.lock$/, 'index-lock'],
  [/\/\.git\/index$/, 'index'],
  [/\/\.git(\/|$)/, 'user-git'],
  [/\/\.harness\/logs/, 'logs'],
  [/\/\.harness\/(sessions|proofs)/, 'proofs'],
  [/\/\.harness(\/|$)/, 'state'],
];

function getPlace(path: string): string {
  return PLACES.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
}
