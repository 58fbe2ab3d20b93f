import { posix } from 'node:path';
import { getFn, getText } from '../functions.ts';
import { getBody, getFunctions, getNames, getTopNames, type Node, parseJs } from '../js-text.ts';
import { getDefs } from '../py-text.ts';
import type { Random } from '../random.ts';
import { getImportWord, getModules, isEsm, type Tree, withText } from '../tree.ts';
import type { Change, Generator, Sheet } from './change.ts';
import { pickUnlucky } from './names.ts';

/** A helper leaves its module for a file of its own, with a name that sounds like a test's. */
export const extract: Generator = (sheet, random) => {
  const { tree, ways } = sheet;
  if (random.below(2) === 0)
    for (const module of random.shuffle(getModules(tree, ways))) {
      const done =
        ways.language === 'py' ? takePython(sheet, module, random) : takeScript(sheet, module, random);
      if (done) return done;
    }
  return takeTask(sheet, random);
};

/** A function that needs nothing of its module. */
function takeScript({ tree, ways }: Sheet, module: string, random: Random): Change | null {
  const text = tree.get(module) ?? '';
  const file = parseJs(text, ways.language === 'ts');
  if (file === null) return null;
  const top = getTopNames(file);
  const isFree = ({ name, node }: { name: string; node: Node }): boolean =>
    [...getNames(node)].every(
      one => one === name || (!top.has(one) && !['module', 'exports', 'arguments'].includes(one)),
    ) && !new RegExp(`exports(\\.${name})? = ${name}\\b|export default ${name}\\b|export \\{`).test(text);
  const free = getFunctions(file).filter(isFree);
  if (free.length === 0) return null;
  const { name, node } = random.pick(free);
  const to = pickUnlucky(tree, ways, posix.dirname(module), random);
  const own = text.slice(node.start, node.end);
  const word = getImportWord(
    module,
    to,
    /require\('\.[^']*(?<!\.js)'\)|from '\.[^']*(?<!\.js)'/.test(text) ? 'bare' : null,
  );
  const helper = isEsm(text)
    ? `export ${own}\n`
    : `'use strict'\n\n${own}\n\nmodule.exports.${name} = ${name}\n`;
  const line = isEsm(text)
    ? `import { ${name} } from '${word}'\n`
    : `const { ${name} } = require('${word}')\n`;
  const rest = text.slice(0, node.start) + text.slice(node.end).trimStart();
  const at = getStart(file, text);
  const next = rest.slice(0, at) + (at > 0 ? '\n' : '') + line + rest.slice(at);
  return {
    what: `${name} of ${module} into ${to}`,
    tree: withText(withText(tree, module, next), to, helper),
  };
}

/** After `'use strict'`, or before the first statement. */
function getStart(file: Node, text: string): number {
  const directives = (file.program as { directives?: readonly Node[] }).directives ?? [];
  const last = directives.at(-1)?.end;
  if (last !== undefined) return Math.max(last, text.indexOf('\n', last));
  return Math.min(getBody(file)[0]?.start ?? 0, text.startsWith('#!') ? text.indexOf('\n') + 1 : 0);
}

function takePython({ tree, ways }: Sheet, module: string, random: Random): Change | null {
  const lines = (tree.get(module) ?? '').split('\n');
  const top = new Set(
    [
      ...lines
        .join('\n')
        .matchAll(/^(?:def|class|import|from \S+ import|async def) ?(.*)|^([A-Za-z_]\w*) *[:=]/gm),
    ].flatMap(found => (found[1] ?? found[2] ?? '').match(/\w+/g) ?? []),
  );
  const free = getDefs(lines.join('\n')).filter(({ name, from, to }) => {
    const names =
      lines
        .slice(from, to)
        .join('\n')
        .match(/[A-Za-z_]\w*/g) ?? [];
    return /^_[a-z]/.test(name) && names.every(one => one === name || !top.has(one));
  });
  if (free.length === 0) return null;
  const { name, from, to } = random.pick(free);
  const path = pickUnlucky(tree, ways, posix.dirname(module), random);
  const own = `${lines.slice(from, to).join('\n').trimEnd()}\n`;
  const line = `from .${posix.basename(path, '.py')} import ${name}`;
  const next = [...lines.slice(0, from), line, '', '', ...lines.slice(to)].join('\n');
  return {
    what: `${name} of ${module} into ${path}`,
    tree: withText(withText(tree, module, next), path, own),
  };
}

/** The task's own function hands its work to a helper. */
function takeTask({ tree, ways, fn, home, mark }: Sheet, random: Random): Change | null {
  const { language } = ways;
  const text = tree.get(home) ?? '';
  const style = { language, isEsm: isEsm(text) };
  const to = pickUnlucky(tree, ways, posix.dirname(home), random);
  const helper = getFn(fn.sample, `helper${mark}`, language);
  const call = `return ${helper.name}(${fn.sample.params.join(', ')})`;
  const whole = getText(fn, style);
  if (!text.includes(whole)) return null;
  const word = getImportWord(home, to, null);
  const next = text.replace(whole, () => getText(fn, style, call));
  const line =
    language === 'py'
      ? `from .${posix.basename(to, '.py')} import ${helper.name}\n\n\n`
      : style.isEsm
        ? `import { ${helper.name} } from '${word}'\n\n`
        : `const { ${helper.name} } = require('${word}')\n\n`;
  const at = next.search(
    language === 'py' ? `^def ${fn.name}\\(` : new RegExp(`^(export )?function ${fn.name} `, 'm'),
  );
  const start = at < 0 ? next.indexOf(`def ${fn.name}(`) : at;
  const done: Tree = withText(tree, home, next.slice(0, start) + line + next.slice(start));
  const own = getText(helper, style);
  return {
    what: `${helper.name} of ${home} into ${to}`,
    tree: withText(done, to, language === 'py' || style.isEsm ? own : `'use strict'\n\n${own}`),
  };
}
