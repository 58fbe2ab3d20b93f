import { expect, it } from 'vitest';
import { getPackageEntry } from './package-entry.ts';

const NAMED = { name: '@acme/shop', version: '1.0.0' };

it.each<[object, boolean, ReturnType<typeof getPackageEntry>]>([
  [{ ...NAMED, bin: './x.js' }, false, { name: '@acme/shop', bins: ['shop'], hasMain: false }],
  [
    { ...NAMED, bin: { a: 'a.js', 'b c': 'b.js', '$(x)': 'c.js' } },
    false,
    { name: '@acme/shop', bins: ['a'], hasMain: false },
  ],
  [{ ...NAMED, main: 'x.js' }, false, { name: '@acme/shop', bins: [], hasMain: true }],
  [{ ...NAMED, exports: './x.js' }, false, { name: '@acme/shop', bins: [], hasMain: true }],
  [NAMED, true, { name: '@acme/shop', bins: [], hasMain: true }],
  [NAMED, false, null],
  [{ name: 'shop' }, true, null],
  [{ ...NAMED, name: 'a b; rm -rf' }, true, null],
  [{ ...NAMED, name: "x'.y" }, true, null],
])('%j with an index.js (%s) offers %j', (manifest, hasIndex, entry) => {
  expect(getPackageEntry(JSON.stringify(manifest), hasIndex)).toEqual(entry);
});

it.each([null, '', '{', 'null', '[]', '"x"'])('%j is no package', text => {
  expect(getPackageEntry(text, true)).toBeNull();
});
