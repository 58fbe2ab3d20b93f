import type { Backlog } from '../ports.ts';
import { compareFeatures } from './compare-features.ts';
import type { BacklogOptions } from './options.ts';
import { parseFeatures } from './parse-features.ts';
import { setPasses } from './set-passes.ts';

/** The codec of `features.json`: one object with a list of features and a flag on each. */
export function createFeaturesJsonCodec(options: BacklogOptions): Backlog {
  return {
    parse: text => parseFeatures(text, options),
    setPasses: (text, taskId, passes) => setPasses(text, taskId, passes, options.fileName),
    compare: (before, after) => compareFeatures(before, after, options.fileName),
  };
}
