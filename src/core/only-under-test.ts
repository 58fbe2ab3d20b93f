import { getImports, resolveImport } from './imports.ts';

/** Where a project stands that new product code is judged for. */
export interface Surroundings {
  /** Every file of the candidate. */
  readonly files: ReadonlySet<string>;
  readonly isTest: (path: string) => boolean;
  /** Vite serves the product itself, and not only its tests. */
  readonly isViteProject: boolean;
}

/** A line of product code that finds what it needs only while tests run. */
export interface LonelyLine {
  readonly line: number;
  readonly why: string;
}

const VITE_ENV = /\bimport\.meta\.(env|glob|hot)\b/;
const ROOTED = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"`])\/(?!\/)[\w@.-]+\/[^'"`]*\1/;
const SCRIPT = /\.([cm]?[jt]sx?|vue|svelte)$/;

/** The lines among `lines` that work under the runner of the tests and nowhere else. */
export function getLonelyLines(
  path: string,
  text: string,
  lines: readonly number[],
  around: Surroundings,
): readonly LonelyLine[] {
  const code = text.split('\n');
  return lines.flatMap(line => {
    const why = getWhy(path, code[line - 1] ?? '', around);
    return why === null ? [] : [{ line, why }];
  });
}

/** Whether the files and the manifest of a project say that Vite builds or serves it. */
export function isViteProject(files: readonly string[], manifest: string): boolean {
  const hasConfig = files.some(file =>
    /(^|\/)((electron\.)?vite|astro|svelte|nuxt|remix|react-router|quasar)\.config\.\w+$/.test(file),
  );
  return hasConfig || /"(vite|astro|nuxt|@sveltejs\/kit|electron-vite)"\s*:/.test(manifest);
}

function getWhy(path: string, line: string, around: Surroundings): string | null {
  if (SCRIPT.test(path)) {
    if (around.isViteProject || /^\s*(\/\/|\*|\/\*)/.test(line)) return null;
    if (VITE_ENV.test(line)) return 'uses what only Vite has, which runs the tests here and nothing else';
    return ROOTED.test(line) ? 'imports from the root of a server that is there only for tests' : null;
  }
  return path.endsWith('.py') ? getPythonWhy(path, line, around) : null;
}

/** Pytest puts the folders of tests on the path of modules; nobody else does. */
function getPythonWhy(path: string, line: string, { files, isTest }: Surroundings): string | null {
  for (const spec of getImports(path, line).specs) {
    if (spec.startsWith('.') || spec.startsWith('path:')) continue;
    const top = spec.split('.')[0] ?? '';
    if (resolveImport(path, top, files).length > 0 || isFolder(files, top)) continue;
    const module = [...files].find(
      file => isTest(file) && (file.endsWith(`/${top}.py`) || file.endsWith(`/${top}/__init__.py`)),
    );
    if (module) return `imports ${module}, which is found only while tests run`;
  }
  return null;
}

function isFolder(files: ReadonlySet<string>, name: string): boolean {
  return [...files].some(file => file.startsWith(`${name}/`) || file.startsWith(`src/${name}/`));
}
