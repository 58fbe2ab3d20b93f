import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What adding a thing comes to. */
export interface Scaffold {
  /** New files with their texts. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines in files that are there. */
  readonly lines: readonly Line[];
  /** What is left to whoever adds it. */
  readonly next: readonly string[];
}

/** One line in a table, behind the only place that `after` fits. */
export interface Line {
  readonly path: string;
  readonly after: RegExp;
  readonly text: string;
}

/** A name in the spellings that code needs. */
export interface Name {
  /** `no-big-files`. */
  readonly kebab: string;
  /** `noBigFiles`. */
  readonly camel: string;
  /** `NoBigFiles`. */
  readonly pascal: string;
  /** `no big files`. */
  readonly words: string;
}

export function getName(text: string): Name {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(text))
    throw new Error(
      `"${text}" is no name: use small letters, digits and single hyphens, such as no-big-files`,
    );
  const pascal = text.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return { kebab: text, camel, pascal, words: text.replaceAll('-', ' ') };
}

/** An import at the top of a file; the formatter puts it where it belongs. */
export function getImport(path: string, what: string, from: string): Line {
  return { path, after: /^(?=import )/, text: `import { ${what} } from '${from}';\n` };
}

/** Writes all of it or, where something is in the way, nothing; returns the paths. */
export function writeScaffold(root: string, { files, lines }: Scaffold): readonly string[] {
  const texts = new Map<string, string>();
  for (const [path, text] of Object.entries(files)) {
    if (existsSync(join(root, path))) throw new Error(`${path} is there already`);
    texts.set(path, text);
  }
  for (const { path, after, text } of lines) {
    const whole = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
    const [found, ...others] = whole.matchAll(new RegExp(after, `${after.flags.replace('g', '')}g`));
    if (!found || others.length > 0)
      throw new Error(
        `${path}: there is ${found ? 'more than one' : 'no'} place for this line: ${text.trim()}`,
      );
    const at = found.index + found[0].length;
    texts.set(path, whole.slice(0, at) + text + whole.slice(at));
  }
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...texts.keys()];
}
