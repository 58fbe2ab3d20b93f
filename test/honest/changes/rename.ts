import { getFunctions, getName, parseJs, splice, walk } from '../js-text.ts';
import { getDefs } from '../py-text.ts';
import { getModules, isBeside, type Tree, type Ways, withText } from '../tree.ts';
import type { Generator } from './change.ts';

/** A function of the module's own gets another name, wherever it is used. */
export const rename: Generator = ({ tree, ways, mark }, random) => {
  const modules = getModules(tree, ways);
  for (const module of random.shuffle(modules)) {
    const names = getOwn(tree, ways, module).filter(name => isOwn(tree, modules, name));
    if (names.length === 0) continue;
    const name = random.pick(names);
    const next = random.pick([
      `${name}${ways.language === 'py' ? '_' : ''}test${mark}`,
      `${name}${mark}`,
      `mock${mark}${name}`,
      `${name}Of${mark}`,
    ]);
    const users = modules.filter(path => getWord(name).test(tree.get(path) ?? ''));
    const done = users.reduce<Tree | null>((at, path) => {
      const text = at && putName(at.get(path) ?? '', ways, name, next);
      return at && text !== null ? withText(at, path, text) : null;
    }, tree);
    if (done) return { what: `${name} is ${next} in ${users.join(', ')}`, tree: done };
  }
  return null;
};

function getOwn(tree: Tree, { language }: Ways, module: string): readonly string[] {
  const text = tree.get(module) ?? '';
  if (language === 'py')
    return getDefs(text)
      .map(({ name }) => name)
      .filter(name => /^_[a-z]/.test(name));
  const file = parseJs(text, language === 'ts');
  return file === null ? [] : getFunctions(file).map(({ name }) => name);
}

const getWord = (name: string): RegExp => new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);

/** No test, document or setting speaks of it, nor does it leave its module under this name. */
function isOwn(tree: Tree, modules: readonly string[], name: string): boolean {
  const word = getWord(name);
  const isOffered = new RegExp(
    `exports(\\.${name}\\b| = ${name}\\b)|export default ${name}\\b|[{,]\\s*${name}\\s*[,}]`,
  );
  return [...tree].every(([path, text]) =>
    modules.includes(path) ? !isOffered.test(text) : isBeside(path) || !word.test(text),
  );
}

function putName(text: string, { language }: Ways, name: string, next: string): string | null {
  if (language === 'py') return text.replaceAll(new RegExp(getWord(name), 'g'), next);
  const file = parseJs(text, language === 'ts');
  if (file === null) return null;
  const spots = [...walk(file)].filter(node => getName(node) === name);
  return splice(
    text,
    spots.map(({ start }) => ({ start, end: start + name.length, text: next })),
  );
}
