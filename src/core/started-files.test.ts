import { describe, expect, it } from 'vitest';
import { getMakeLines } from './make-lines.ts';
import { getStarted } from './started-files.ts';

const FILES = new Set([
  'tools/check.mjs',
  'tools/check.sh',
  'tools/my check.sh',
  'tools/x.py',
  'tools/pack/__main__.py',
  'tools/hook.cjs',
  'check.ts',
  'README.md',
  'examples/expected.txt',
  'src/cli.js',
]);

function getPaths(line: string): readonly string[] {
  return getStarted(line, { folders: [''], files: FILES }).map(started =>
    started.kind === 'file' || started.kind === 'expected' ? started.path : JSON.stringify(started),
  );
}

describe('the files that a command starts', () => {
  it.each([
    ['node tools/check.mjs', 'tools/check.mjs'],
    ['node tools/check', 'tools/check.mjs'],
    ['node --enable-source-maps ./tools/check.mjs --fast', 'tools/check.mjs'],
    ['timeout 60 node tools/check.mjs', 'tools/check.mjs'],
    ['timeout -k 5 60s ./tools/check.sh', 'tools/check.sh'],
    ['env X=1 Y=2 node tools/check.mjs', 'tools/check.mjs'],
    ['env -u HOME sh tools/check.sh', 'tools/check.sh'],
    ['X=1 node tools/check.mjs', 'tools/check.mjs'],
    ['npx tsx check.ts', 'check.ts'],
    ['npx --yes tsx check.ts', 'check.ts'],
    ['pnpm exec tsx check.ts', 'check.ts'],
    ['python3 -m tools.x', 'tools/x.py'],
    ['python3 -m tools.pack', 'tools/pack/__main__.py'],
    ['python3.12 -W error tools/x.py', 'tools/x.py'],
    ['uv run tools/x.py', 'tools/x.py'],
    ['uv run --with pytest python tools/x.py', 'tools/x.py'],
    ['bash -c "cd tools && node check.mjs"', 'tools/check.mjs'],
    ["bash -ec 'node tools/check.mjs'", 'tools/check.mjs'],
    ['. tools/check.sh', 'tools/check.sh'],
    ['source ./tools/check.sh', 'tools/check.sh'],
    ['sh "tools/my check.sh"', 'tools/my check.sh'],
    ['cd tools && sh check.sh', 'tools/check.sh'],
    ['(cd tools; ./check.sh)', 'tools/check.sh'],
    ['sh "$(dirname "$0")/tools/check.sh"', 'tools/check.sh'],
    ['if ! node tools/check.mjs; then exit 1; fi', 'tools/check.mjs'],
    ['[ "$(node src/cli.js 1)" = 2 ]', 'src/cli.js'],
    ['node --input-type=module <tools/check.mjs', 'tools/check.mjs'],
    ['sh < tools/check.sh', 'tools/check.sh'],
    ['cat tools/check.mjs | (cd tools && node --input-type=module)', 'tools/check.mjs'],
    ['diff out.txt examples/expected.txt', 'examples/expected.txt'],
  ])('%s', (line, path) => {
    expect(getPaths(line)).toEqual([path]);
  });

  it('are more than one where one loads another', () => {
    expect(getPaths('node -r ./tools/hook.cjs tools/check.mjs')).toEqual([
      'tools/hook.cjs',
      'tools/check.mjs',
    ]);
  });

  it.each([
    'grep -q python README.md',
    'npx eslint README.md',
    'test -f README.md',
    'python3 -m pytest -q',
    'node -e "import(\'./src/cli.js\')"',
    'node /tools/check.mjs',
    'echo tools/check.mjs',
    'cat README.md | wc -l',
  ])('are none: %s', line => {
    expect(getPaths(line)).toEqual([]);
  });

  it('are heard where something reads what they print', () => {
    const isHeard = (line: string) =>
      getStarted(line, { folders: [''], files: FILES }).map(one => one.kind === 'file' && one.isHeard);
    expect(isHeard('node src/cli.js | grep -q 120')).toEqual([true]);
    expect(isHeard('[ "$(node src/cli.js 1)" = 2 ]')).toEqual([true]);
    expect(isHeard('node src/cli.js || exit 1')).toEqual([false]);
  });

  it('can be behind targets and scripts', () => {
    const folders = [''];
    expect(getStarted('make -s check CI=1', { folders, files: FILES })).toEqual([
      { kind: 'make', folders, targets: ['check'] },
    ]);
    expect(getStarted('make -C tools check', { folders, files: FILES })).toEqual([
      { kind: 'make', folders: ['tools'], targets: ['check'] },
    ]);
    for (const line of ['npm run -s check', 'yarn check', 'pnpm run check'])
      expect(getStarted(line, { folders, files: FILES })).toEqual([
        { kind: 'package', folders, script: 'check' },
      ]);
  });
});

it('the lines of a target come with those of what it needs', () => {
  const text =
    'X := 1\n.PHONY: check all\nall: check\n\techo all\ncheck: build | x\n\t@sh a.sh\n\t-sh b.sh \\\n\t  -v\nbuild: ; sh c.sh\nother:\n\tsh d.sh\n';
  expect(getMakeLines(text, ['check'])).toEqual(['sh a.sh', 'sh b.sh  \t  -v', 'sh c.sh']);
  expect(getMakeLines(text, [])).toEqual(['echo all', 'sh a.sh', 'sh b.sh  \t  -v', 'sh c.sh']);
});
