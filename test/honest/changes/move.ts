import { posix } from 'node:path';
import type { Random } from '../random.ts';
import {
  getImported,
  getImportWord,
  getModules,
  isEntry,
  isEsm,
  isTest,
  mapImports,
  type Tree,
  without,
  withText,
} from '../tree.ts';
import type { Change, Generator, Sheet } from './change.ts';
import { pickUnlucky } from './names.ts';

/** A module goes elsewhere, and its users follow; where tests ask for it, its old place points to the new one. */
export const move: Generator = (sheet, random) => {
  const { tree, ways, home } = sheet;
  const free = getModules(tree, ways).filter(path => !isEntry(tree, path) && path !== home);
  for (const from of random.shuffle(free)) {
    const done = ways.language === 'py' ? movePython(sheet, from, random) : moveScript(sheet, from, random);
    if (done) return done;
  }
  return null;
};

function moveScript({ tree, ways }: Sheet, from: string, random: Random): Change {
  const dir = posix.dirname(from);
  const to = random.pick([
    pickUnlucky(tree, ways, dir, random),
    posix.join(dir, random.pick(['internal', 'core', 'testing', 'mocks', 'spec']), posix.basename(from)),
  ]);
  const users = [...tree.keys()].filter(
    path => /\.([cm]?js|ts)$/.test(path) && getImported(tree, path).includes(from),
  );
  const text = tree.get(from) ?? '';
  const moved = withText(
    without(tree, from),
    to,
    mapImports(text, from, tree, (target, word) => getImportWord(to, target, word)),
  );
  const led = users
    .filter(path => !isTest(path) && path !== from)
    .reduce<Tree>((at, path) => {
      const say = (target: string, word: string) => (target === from ? getImportWord(path, to, word) : null);
      return withText(at, path, mapImports(tree.get(path) ?? '', path, tree, say));
    }, moved);
  const what = `${from} is ${to}`;
  if (!users.some(isTest)) return { what, tree: led };
  const word = getImportWord(from, to, null);
  const all = `export * from '${word}'\n${/export default/.test(text) ? `export { default } from '${word}'\n` : ''}`;
  const pointer = isEsm(text) ? all : `'use strict'\n\nmodule.exports = require('${word}')\n`;
  return { what: `${what}, with a pointer`, tree: withText(led, from, pointer) };
}

function movePython({ tree, ways }: Sheet, from: string, random: Random): Change | null {
  const to = pickUnlucky(tree, ways, posix.dirname(from), random);
  const [old, name] = [from, to].map(path => posix.basename(path, '.py')) as [string, string];
  const text = tree.get(from) ?? '';
  const follow = (one: string): string =>
    one
      .replaceAll(new RegExp(`from \\.${old} import`, 'g'), `from .${name} import`)
      .replaceAll(new RegExp(`from \\. import ${old}$`, 'gm'), `from . import ${name} as ${old}`);
  const users = getModules(tree, ways).filter(path => posix.dirname(path) === posix.dirname(from));
  const led = users.reduce<Tree>((at, path) => withText(at, path, follow(tree.get(path) ?? '')), tree);
  const own = [...text.matchAll(/^(?:def|class) (_\w+)|^(_[a-zA-Z]\w*) = /gm)].map(
    found => found[1] ?? found[2],
  );
  const names = own.length > 0 ? `from .${name} import ${[...new Set(own)].join(', ')}  # noqa: F401\n` : '';
  const pointer = `from .${name} import *  # noqa: F401,F403\n${names}`;
  return {
    what: `${from} is ${to}, with a pointer`,
    tree: withText(withText(led, to, led.get(from) ?? ''), from, pointer),
  };
}
