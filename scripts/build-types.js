// The types of the library, for people who have nothing but the package: what src/index.ts leads to, and no zod in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;
const TYPE = /(\/\*\*(?:(?!\*\/).)*\*\/\n)?export type (\w+) = [^;{]+;/gs;

/** Emits the declarations; zod has to be found from the folder they go to. */
function buildTypes(dist = join(root, 'dist')) {
  const out = join(dist, 'types');
  rmSync(out, { recursive: true, force: true });
  runTsc(['-p', 'tsconfig.types.json', '--outDir', out]);
  const needed = findNeeded(join(out, 'index.d.ts'));
  for (const path of readdirSync(out, { recursive: true }).filter(name => name.endsWith('.d.ts')))
    if (!needed.has(join(out, path))) rmSync(join(out, path));
  const inferred = [...needed].filter(path => getSpecifiers(path).includes('zod'));
  writePlainTypes(inferred, join(dist, 'types-plain'));
}

/** A declaration file and everything that it imports, directly or not. */
function findNeeded(entry) {
  const needed = new Set([entry]);
  for (const path of needed)
    for (const specifier of getSpecifiers(path).filter(name => name.startsWith('.')))
      needed.add(join(dirname(path), specifier.replace(/\.ts$/, '.d.ts')));
  return needed;
}

function getSpecifiers(path) {
  return [...readFileSync(path, 'utf8').matchAll(SPECIFIER)].map(([, specifier]) => specifier);
}

/**
 * What is inferred from a schema is written out. zod is bundled into the program and comes with no install: with
 * `skipLibCheck` its types would silently be `any`. The compiler spells out the type of a variable that has none.
 */
function writePlainTypes(paths, scratch) {
  const modules = paths.map((path, index) => ({
    path,
    types: [...readFileSync(path, 'utf8').matchAll(TYPE)].map(([, comment = '', name]) => ({
      comment,
      name,
    })),
    source: join(scratch, `${index}.mts`),
    emitted: join(scratch, 'out', `${index}.d.mts`),
  }));
  mkdirSync(scratch, { recursive: true });
  for (const { path, types, source } of modules) {
    const from = relative(scratch, path).replace(/\.d\.ts$/, '.ts');
    const variables = types.map(
      ({ name }) => `declare const of${name}: from.${name};\nexport const ${name} = of${name};\n`,
    );
    writeFileSync(source, `import type * as from from '${from}';\n${variables.join('')}`);
  }
  const options = { outDir: join(scratch, 'out'), rootDir: scratch, noErrorTruncation: true };
  const config = { extends: join(root, 'tsconfig.types.json'), compilerOptions: options, include: ['*.mts'] };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config));
  runTsc(['-p', scratch]);
  for (const { path, types, emitted } of modules) {
    const getComment = of => types.find(({ name }) => name === of)?.comment ?? '';
    const plain = readFileSync(emitted, 'utf8').replace(
      /export declare const (\w+): /g,
      (_, name) => `${getComment(name)}export type ${name} = `,
    );
    writeFileSync(path, plain);
  }
  rmSync(scratch, { recursive: true });
}

function runTsc(args) {
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
}

buildTypes(process.argv[2]);
