import { posix } from 'node:path';
import type { Fn } from '../functions.ts';
import { getFn, getText, SAMPLES } from '../functions.ts';
import type { Ways } from '../tree.ts';
import { getModules, isEsm, type Tree, withText } from '../tree.ts';
import type { Generator } from './change.ts';

/** Another function, which no test asks for. */
export const add: Generator = ({ tree, ways, mark }, random) => {
  const fn = getFn(random.pick(SAMPLES), `more${mark}`, ways.language);
  const module = random.pick(getModules(tree, ways).filter(path => !path.endsWith('__init__.py')));
  return { what: `${fn.name} into ${module}`, tree: addTo(tree, ways, module, fn) };
};

/** A function at the end of a module, which comes to be if it is not there. */
export function addTo(tree: Tree, { language }: Ways, module: string, fn: Fn): Tree {
  const known = tree.get(module);
  const style = { language, isEsm: known === undefined ? isEsmBy(tree, module) : isEsm(known) };
  const gap = language === 'py' ? '\n\n' : '\n';
  const text = getText(fn, style);
  if (known !== undefined) return withText(tree, module, `${known.trimEnd()}\n${gap}${text}`);
  return withText(tree, module, language === 'py' || style.isEsm ? text : `'use strict'\n\n${text}`);
}

/** As the neighbours do it. */
export function isEsmBy(tree: Tree, module: string): boolean {
  const dir = posix.dirname(module);
  const beside = [...tree].filter(([path]) => posix.dirname(path) === dir && /\.([cm]?js|ts)$/.test(path));
  if (beside.length > 0) return beside.some(([, text]) => isEsm(text));
  return (tree.get('package.json') ?? '').includes('"type": "module"');
}
