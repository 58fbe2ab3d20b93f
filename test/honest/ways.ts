import { isTest, type Runner, type Tree, type Ways } from './tree.ts';

/** How a repository is tested, by its command and by what it needs; null where this programme knows no such runner. */
export function getWays(tree: Tree, full: string): Ways | null {
  const manifest = tree.get('package.json') ?? '';
  const runner = getRunner(full, manifest, tree.get('.mocharc.json') ?? '');
  if (runner === null) return null;
  const language = runner === 'pytest' || runner === 'unittest' ? 'py' : runner === 'mocha-ts' ? 'ts' : 'js';
  const known = [...tree.keys()].find(
    path => isTest(path) && path.endsWith(`.${language}`) && path.includes('/'),
  );
  const dir = known?.split('/')[0] ?? 'test';
  return { language, runner, testPath: name => getPath(runner, dir, name) };
}

function getPath(runner: Runner, dir: string, name: string): string {
  if (runner === 'ava') return `${name}.test.js`;
  if (runner === 'pytest' || runner === 'unittest') return `${dir}/test_${name}.py`;
  return `${dir}/${name}.${runner === 'mocha-ts' ? 'spec.ts' : runner === 'node' ? 'test.js' : 'js'}`;
}

function getRunner(full: string, manifest: string, mocharc: string): Runner | null {
  if (/\bpytest\b/.test(full)) return 'pytest';
  if (/\bunittest\b/.test(full)) return 'unittest';
  if (/\bmocha\b/.test(full)) return mocharc.includes('ts') ? 'mocha-ts' : 'mocha';
  if (/node --test/.test(full) || /"test": "node --test/.test(manifest)) return 'node';
  return (['ava', 'uvu', 'tape'] as const).find(name => manifest.includes(`"${name}":`)) ?? null;
}
