import { isObject } from '../base/json.ts';
import { getBaseName } from '../base/tree-path.ts';
import { getCommands, isAssignment } from '../shell/command-line.ts';
import { getRunnerOf } from './runners.ts';

/** What a wrapper is written in, as the tree has it; null for what is not there. */
export interface WrapperFiles {
  readonly packageJson: string | null;
  readonly makefile: string | null;
}

const MAX_DEPTH = 4;

/** The line that calls a runner, by itself or behind `npm test`, `make` and their kin; null where none can be seen. */
export function getRunnerLine(line: string, files: WrapperFiles, depth = 0): string | null {
  if (getRunnerOf(line, null) !== 'command') return line;
  if (depth === MAX_DEPTH) return null;
  for (const words of getCommands(line)) {
    const values = words.map(({ value }) => value).filter(value => !isAssignment(value));
    const inner = getScriptLine(values, files.packageJson) ?? getRecipe(values, files.makefile);
    const found = inner === null ? null : getRunnerLine(inner, files, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** A script with what runs before it, where its manager would find the programs of packages. */
function getScriptLine([program = '', ...rest]: readonly string[], text: string | null): string | null {
  if (text === null || !MANAGERS.has(getBaseName(program))) return null;
  const [first = '', second = ''] = rest.filter(value => !value.startsWith('-'));
  const called = /^run(?:-script)?$/.test(first) ? second : first;
  const name = ['t', 'tst'].includes(called) ? 'test' : called;
  const scripts = readScripts(text);
  const lines = [scripts[`pre${name}`], scripts[name]].filter(one => typeof one === 'string');
  if (typeof scripts[name] !== 'string') return null;
  return ['export PATH="$PWD/node_modules/.bin:$PATH"', ...lines].join(' && ');
}

function readScripts(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) && isObject(manifest.scripts) ? manifest.scripts : {};
  } catch {
    return {};
  }
}

/** The recipe of a target, as far as it is plain shell. */
function getRecipe([program = '', ...rest]: readonly string[], text: string | null): string | null {
  if (text === null || !['make', 'gmake'].includes(getBaseName(program))) return null;
  const wanted = rest.find(value => !value.startsWith('-'));
  const lines = text.split('\n');
  const isRule = (line: string) => /^[A-Za-z0-9][^\s:=]*\s*:(?!=)/.test(line);
  const at = lines.findIndex(
    line => isRule(line) && (wanted === undefined || line.split(':')[0]?.trim() === wanted),
  );
  if (at < 0) return null;
  const after = lines.slice(at + 1);
  const end = after.findIndex(line => !line.startsWith('\t'));
  const recipe = (end < 0 ? after : after.slice(0, end)).map(line => line.trim().replace(/^[@-]+/, ''));
  const isPlain = recipe.length > 0 && recipe.every(line => !/\$[({]|\\$/.test(line));
  return isPlain ? recipe.join(' && ').replaceAll('$$', '$') : null;
}
