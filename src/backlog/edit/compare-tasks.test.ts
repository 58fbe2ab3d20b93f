import { describe, expect, it } from 'vitest';
import { getBacklogCodec } from '../codec.ts';

interface Feature {
  id: number | string;
  description: string;
  passes?: unknown;
  depends_on?: number[];
}

const before = {
  project: 'demo',
  last_updated: 'monday',
  features: [
    { id: 1, description: 'one', passes: true },
    { id: 2, description: 'two', passes: false },
    { id: 3, description: 'three', depends_on: [2] },
  ] as Feature[],
};
const codec = getBacklogCodec('features.json');

function compare(change: (file: typeof before) => unknown) {
  const after = structuredClone(before);
  const changed = change(after);
  const text = typeof changed === 'string' ? changed : JSON.stringify(after, null, 4);
  return codec.compare(JSON.stringify(before), text);
}

describe('what an agent changed in the backlog', () => {
  it.each<[string, (file: typeof before) => unknown, string[]]>([
    ['nothing but formatting', () => undefined, []],
    ['its own flag', f => Object.assign(f.features[1]!, { passes: true }), ['2']],
    ['an absent flag', f => Object.assign(f.features[2]!, { passes: true }), ['3']],
    ['an absent flag, written out', f => Object.assign(f.features[2]!, { passes: false }), []],
    ['the date', f => Object.assign(f, { last_updated: 'tuesday' }), []],
    ['two flags', f => f.features.map(x => Object.assign(x, { passes: true })), ['2', '3']],
  ])('%s is no problem', (_, change, claims) => {
    expect(compare(change)).toEqual({ claims, problems: [] });
  });

  it.each<[string, (file: typeof before) => unknown, string]>([
    ['a removed feature', f => f.features.splice(1, 1), 'feature 2 was removed'],
    ['an added feature', f => f.features.push({ id: 4, description: 'x' }), 'feature 4 was added'],
    ['a feature listed twice', f => f.features.push(f.features[0]!), 'feature 1 is listed twice'],
    [
      're-ordered features',
      f => f.features.reverse(),
      'features were re-ordered: feature 3 stands where feature 1 was',
    ],
    [
      'an edited description',
      f => Object.assign(f.features[0]!, { description: 'x' }),
      'feature 1: the field description was changed',
    ],
    [
      'an edited list',
      f => Object.assign(f.features[2]!, { depends_on: [] }),
      'feature 3: the field depends_on was changed',
    ],
    [
      'a removed field',
      f => void delete f.features[2]!.depends_on,
      'feature 3: the field depends_on was removed',
    ],
    [
      'an added field',
      f => Object.assign(f.features[1]!, { may_change: ['*'] }),
      'feature 2: the field may_change was added',
    ],
    [
      'another spelling of an id',
      f => Object.assign(f.features[0]!, { id: '1' }),
      'feature 1: the field id was changed',
    ],
    [
      'a flag taken back',
      f => Object.assign(f.features[0]!, { passes: false }),
      'feature 1: the field passes was taken back',
    ],
    ['a flag removed', f => void delete f.features[0]!.passes, 'feature 1: the field passes was taken back'],
    [
      'a flag of another type',
      f => Object.assign(f.features[1]!, { passes: 'yes' }),
      'feature 2: the field passes says neither done nor open',
    ],
    [
      'another project',
      f => Object.assign(f, { project: 'x' }),
      'the field project of features.json was changed',
    ],
    ['a feature without an id', f => f.features.push({} as never), 'features[3] is not a feature with an id'],
    [
      'no list',
      f => void delete (f as Partial<typeof f>).features,
      'features.json no longer has a list of features',
    ],
    [
      'no JSON',
      () => '{',
      'features.json can no longer be read: features.json: is not JSON: line 1, column 2 ends too early: a key in double quotes was expected',
    ],
  ])('%s is named', (_, change, problem) => {
    expect(compare(change)).toEqual({ claims: [], problems: [problem] });
  });
});
