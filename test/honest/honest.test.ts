import { expect, inject, test } from 'vitest';
import { runPlainGit } from '../../demo/plain-git.ts';
import { makeTempDir } from '../support/git-fixture.ts';
import { GENERATORS } from './changes/index.ts';
import { type Drawn, drawChange } from './draw-change.ts';
import { judgeChange, type Outcome, playChange } from './play-change.ts';
import { applyEdits, getEdits, openProject, type Project, readTree } from './project.ts';
import { getSummary } from './summary.ts';
import { getImported, isEntry, isTest, mapImports, type Tree, type Ways, withText } from './tree.ts';
import { getWays } from './ways.ts';

const SCRIPT: Tree = new Map([
  [
    'package.json',
    '{\n  "type": "module",\n  "main": "index.js",\n  "scripts": { "test": "node --test" }\n}\n',
  ],
  ['index.js', "export { parse } from './lib/parse.js'\n"],
  [
    'lib/parse.js',
    "import { trim } from './trim.js'\n\nfunction clean (text) {\n  return text.toLowerCase()\n}\n\nexport function parse (text) {\n  return [\n    clean(trim(text))\n  ]\n}\n",
  ],
  ['lib/trim.js', "export function trim (text) {\n  return text.split(' ').join('')\n}\n"],
  ['bench/body.json', '{}\n'],
  ['bench/run.js', "import { readFileSync } from 'node:fs'\n\nreadFileSync('bench/body.json')\n"],
  [
    'test/parse.test.js',
    "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { parse } from '../index.js'\n\ntest('parses', () => assert.deepEqual(parse('A b'), ['ab']))\n",
  ],
]);
const PYTHON: Tree = new Map([
  ['pyproject.toml', '[project]\nname = "shop"\n'],
  ['shop/__init__.py', 'from .parse import parse\n'],
  [
    'shop/parse.py',
    "def _clean(text):\n    return text.lower()\n\n\ndef parse(text):\n    return [_clean(text.replace(' ', ''))]\n",
  ],
  ['tests/__init__.py', ''],
  [
    'tests/test_parse.py',
    "from shop import parse\n\n\ndef test_parse():\n    assert parse('A b') == ['ab']\n",
  ],
]);
const SEEDS = Array.from({ length: 60 }, (_, i) => String(i));

const draw = (tree: Tree, full: string) => {
  const ways = getWays(tree, full) as Ways;
  return SEEDS.flatMap(seed => drawChange(tree, ways, '1', seed) ?? []);
};

test('the same seed draws the same change, and every kind is drawn', () => {
  for (const [tree, full] of [
    [SCRIPT, 'npm test'],
    [PYTHON, 'python3 -m pytest'],
  ] as const) {
    const drawn = draw(tree, full);
    expect(drawChange(tree, getWays(tree, full) as Ways, '1', '7')).toEqual(
      drawChange(tree, getWays(tree, full) as Ways, '1', '7'),
    );
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(Object.keys(GENERATORS)));
  }
});

test('a change touches no test and leaves what the manifest names in its place', () => {
  for (const [tree, full] of [
    [SCRIPT, 'npm test'],
    [PYTHON, 'python3 -m pytest'],
  ] as const)
    for (const { tree: next, what } of draw(tree, full)) {
      const { write, remove } = getEdits(tree, next);
      const known = [...Object.keys(write), ...remove].filter(path => tree.has(path));
      expect(known.filter(isTest), what).toEqual([]);
      expect(
        remove.filter(path => isEntry(tree, path)),
        what,
      ).toEqual([]);
    }
});

test('every import leads somewhere after a change', () => {
  const count = (tree: Tree, path: string): number => {
    let imports = 0;
    mapImports(
      (tree.get(path) ?? '').replaceAll(/(['"])\.[^'"\n]*\1/g, "'./package.json'"),
      'x.js',
      SCRIPT,
      () => {
        imports += 1;
        return null;
      },
    );
    return imports;
  };
  for (const { tree, what, kind } of draw(SCRIPT, 'npm test').filter(one => one.kind !== 'words'))
    for (const path of [...tree.keys()].filter(one => one.endsWith('.js')))
      expect(getImported(tree, path).length, `${kind}: ${what}: ${path}`).toBe(count(tree, path));
});

const OUTCOME: Outcome = {
  ...{ repository: 'a', number: 1, kind: 'move', what: '', end: 'refused', check: 'protected' },
  ...{ reason: '', reviewed: false, drawnAgain: 0, seconds: 1 },
};

test('what is refused for a name is told from what is refused for its behaviour', () => {
  const summary = getSummary([
    OUTCOME,
    { ...OUTCOME, check: 'pass-to-pass' },
    { ...OUTCOME, end: 'landed', check: null },
    { ...OUTCOME, end: 'not-started', check: null, repository: 'b' },
  ]);
  expect(summary).toMatchObject({
    repositories: 2,
    changes: 4,
    landed: 1,
    refused: 2,
    byName: 1,
    notStarted: 1,
  });
});

async function openParser(): Promise<{ readonly project: Project; readonly ways: Ways }> {
  const source = makeTempDir();
  applyEdits(source, getEdits(new Map(), SCRIPT));
  const who = ['-c', 'user.name=Owner', '-c', 'user.email=owner@example.org'];
  await runPlainGit(source, ['init', '-q', '-b', 'main']);
  await runPlainGit(source, ['add', '-A']);
  await runPlainGit(source, [...who, 'commit', '-q', '-m', 'A parser']);
  const where = { root: makeTempDir(), program: inject('harnessProgram') };
  const project = await openProject('parser', source, where);
  return { project, ways: getWays(await readTree(project), project.full) as Ways };
}

test('a drawn change lands through the command, and its checkout is ready for the next', async () => {
  const { project, ways } = await openParser();
  expect(await playChange(project, ways, 1, '1')).toMatchObject({ end: 'landed', repository: 'parser' });
  expect(await project.git('status', '--porcelain')).toBe('');
  expect(await project.git('log', '-1', '--format=%s')).not.toContain('Ask for');
}, 180_000);

test('a change that edits a test is refused by the check that protects it, and its task is taken back', async () => {
  const { project, ways } = await openParser();
  const tree = await readTree(project);
  const drawn = drawChange(tree, ways, '1', '1') as Drawn;
  const path = 'test/parse.test.js';
  const edited = { ...drawn, tree: withText(drawn.tree, path, `${tree.get(path)}// looser\n`) };
  expect(await judgeChange(project, tree, 1, edited)).toMatchObject({ end: 'refused', check: 'protected' });
  expect(await readTree(project)).toEqual(tree);
}, 180_000);
