import { HarnessError } from '../../core/base/failure.ts';
import { getNearest } from '../../core/base/nearest.ts';
import { EVENT_TYPES } from '../../core/events/event.ts';

/** The types that a filter means: whole names, or all that begin with a word, as `attempt`. */
export function getEventTypes(wanted: readonly string[]): readonly string[] {
  return wanted
    .flatMap(text => text.split(','))
    .flatMap(text => {
      const word = text.trim();
      const found = EVENT_TYPES.filter(type => type === word || type.startsWith(`${word}.`));
      if (found.length > 0) return found;
      const near = getNearest(word, [...EVENT_TYPES, ...EVENT_TYPES.map(type => type.split('.')[0] ?? '')]);
      throw new HarnessError('usage', `--type: there is no event "${word}"`, {
        field: '--type',
        fix: near ? `did you mean ${near}?` : `the types are ${EVENT_TYPES.join(', ')}`,
      });
    });
}
