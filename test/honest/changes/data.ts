import { posix } from 'node:path';
import type { Random } from '../random.ts';
import { isBeside, isEsm, isTest, type Tree, without, withText } from '../tree.ts';
import type { Change, Generator, Sheet } from './change.ts';

const NAMES = [
  'fixtures',
  'expected',
  'snapshot',
  'golden',
  'spec',
  'test-data',
  'cases',
  'package',
  'tsconfig',
];

/** A data file gets another name and its users follow; or the product gets one to read. */
export const data: Generator = (sheet, random) =>
  (random.below(2) === 0 ? renameData(sheet, random) : null) ?? addData(sheet, random);

/** One of the files beside the product, which something there names. */
function renameData({ tree, mark }: Sheet, random: Random): Change | null {
  const isData = (path: string): boolean =>
    isBeside(path) && path.includes('/') && !path.startsWith('.') && !path.startsWith('docs/');
  for (const from of random.shuffle([...tree.keys()].filter(isData))) {
    const base = posix.basename(from);
    const stem = base.replace(/\.\w+$/, '');
    if (stem.length < 4 || stem === 'index') continue;
    const word = new RegExp(`(?<=['"/])${stem.replaceAll('.', '\\.')}(?=\\.\\w+['"]|['"])`, 'g');
    const users = [...tree].filter(([path, text]) => path !== from && word.test(text)).map(([path]) => path);
    // What a manifest names may be a package of the same name.
    if (
      users.length === 0 ||
      users.some(
        path =>
          isTest(path) ||
          posix.basename(path) === 'package.json' ||
          !posix.dirname(path).startsWith(posix.dirname(from).split('/')[0] ?? ''),
      )
    )
      continue;
    const next = `${random.pick(NAMES)}${mark}`;
    const to = posix.join(posix.dirname(from), base.replace(stem, next));
    const moved = withText(without(tree, from), to, tree.get(from) ?? '');
    const done = users.reduce<Tree>(
      (at, path) => withText(at, path, (at.get(path) ?? '').replaceAll(word, next)),
      moved,
    );
    return { what: `${from} is ${to}, for ${users.join(', ')}`, tree: done };
  }
  return null;
}

function addData({ tree, ways, home, fn, isNewHome, mark }: Sheet, random: Random): Change | null {
  const text = tree.get(home) ?? '';
  if (!isNewHome || ways.language === 'ts') return null;
  const base =
    random.pick(['', 'spec/', 'fixtures/', '__snapshots__/']) + `${random.pick(NAMES)}${mark}.json`;
  const path = posix.join(posix.dirname(home), base);
  const all = `${JSON.stringify({ rates: { standard: 19, reduced: 7 }, test: true }, null, 2)}\n`;
  const name = ways.language === 'py' ? `${fn.name}_rates` : `${fn.name}Rates`;
  const next =
    ways.language === 'py'
      ? `import json\nfrom pathlib import Path\n\n\n${text.trimEnd()}\n\n\ndef ${name}():\n    return json.loads((Path(__file__).parent / '${base}').read_text())['rates']\n`
      : isEsm(text)
        ? `import { readFileSync } from 'fs'\n\n${text.trimEnd()}\n\nexport function ${name} () {\n  return JSON.parse(readFileSync(new URL('./${base}', import.meta.url), 'utf8')).rates\n}\n`
        : `${text.trimEnd()}\n\nmodule.exports.${name} = function ${name} () {\n  return require('./${base}').rates\n}\n`;
  return { what: `${home} reads ${path}`, tree: withText(withText(tree, home, next), path, all) };
}
