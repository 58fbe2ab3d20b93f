/** ES modules of the simple kind that the samples hold, as CommonJS. */
export function toCommonJs(text: string): string {
  const names: string[] = [];
  const body = text
    .replace(
      /^import (\w+), (\{[^}]*\}) from ('[^']+');$/gm,
      (_, all, some, from) => `const ${all} = require(${from});\nconst ${getPattern(some)} = ${all};`,
    )
    .replace(/^import \* as (\w+) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replace(
      /^import (\{[^}]*\}) from ('[^']+');$/gm,
      (_, some, from) => `const ${getPattern(some)} = require(${from});`,
    )
    .replace(/^import (\w+) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replace(/^import ('[^']+');$/gm, 'require($1);')
    .replace(
      /^export \{([^}]*)\} from ('[^']+');$/gm,
      'Object.assign(exports, (({$1}) => ({$1}))(require($2)));',
    )
    .replace(/^export ((?:async )?function\*?|const|let|class) (\w+)/gm, (_, kind, name) => {
      names.push(name);
      return `${kind} ${name}`;
    })
    .replaceAll('import.meta.url', '("file://" + __filename)')
    .replaceAll('import.meta.dirname', '__dirname');
  return names.length === 0 ? body : `${body}\nObject.assign(exports, { ${names.join(', ')} });\n`;
}

function getPattern(some: string): string {
  return some.replace(/(\w+) as (\w+)/g, '$1: $2');
}
