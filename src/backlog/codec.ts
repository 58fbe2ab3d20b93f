import { HarnessError } from '../core/failure.ts';
import type { Backlog } from '../ports.ts';
import { createFeaturesJsonCodec } from './features-json.ts';
import { type BacklogOptions, DEFAULT_BACKLOG_OPTIONS } from './options.ts';

interface Format {
  readonly matches: RegExp;
  readonly create: (options: BacklogOptions) => Backlog;
}

/** The first that matches the file name wins, so special names stand before general ones. */
const FORMATS: readonly Format[] = [{ matches: /\.json$/i, create: createFeaturesJsonCodec }];

/** Chooses the codec by the backlog's file name. */
export function getBacklogCodec(path: string, options: Partial<BacklogOptions> = {}): Backlog {
  const fileName = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const format = FORMATS.find(({ matches }) => matches.test(fileName));
  if (format) return format.create({ ...DEFAULT_BACKLOG_OPTIONS, fileName: path, ...options });
  throw new HarnessError('backlog', `${path} is in no format that is known here`, {
    file: path,
    fix: 'Name the backlog features.json (or another .json file of the same form).',
  });
}
