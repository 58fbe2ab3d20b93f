import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSources } from '../../scripts/graph/read-sources.ts';
import { getBreaches, readRooms } from '../../scripts/graph/rooms.ts';
import { getScaffold } from '../../scripts/new/get-scaffold.ts';
import { writeScaffold } from '../../scripts/new/scaffold.ts';
import { makeTempDir } from '../support/git-fixture.ts';

type Thing = readonly [kind: string, name: string, folder?: string];

const THINGS: readonly Thing[] = [
  ['check', 'no-zip'],
  ['step', 'cool-down'],
  ['command', 'note'],
  ['command', 'call-off', 'people'],
  ['runner', 'quick-test'],
  ['provider', 'night-owl'],
  ['event', 'task.renamed'],
];

/** The compiler, the linter and a build at once, on a machine that has other things to do. */
const BUSY_MS = 180_000;

let house = '';

/** The files of this repository as git knows them, with its packages linked in. */
function copyHouse(): string {
  const copy = join(makeTempDir(), 'house');
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const all = execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const path of all) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(path, join(copy, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function add(...[kind, name, folder]: Thing): readonly string[] {
  return writeScaffold(house, getScaffold(house, kind, name, folder));
}

function run(program: string, ...args: readonly string[]) {
  const path = program === 'node' ? program : join(house, 'node_modules/.bin', program);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: house, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

describe('npm run new', () => {
  let paths: readonly string[] = [];

  beforeAll(() => {
    house = copyHouse();
    paths = [...new Set(THINGS.flatMap(thing => add(...thing)))].filter(path => path.endsWith('.ts'));
  });

  it('writes one thing, says what it wrote and what is left', () => {
    const { status, said } = run(
      'node',
      'scripts/run.js',
      'scripts/new/main.ts',
      ...'event lunch.taken --in people'.split(' '),
    );
    expect(status, said).toBe(0);
    expect(said).toContain('wrote src/core/events/lunch-taken.test.ts');
    expect(said).toMatch(/^next: /m);
  });

  it(
    'leaves code that the compiler and the linter take, all of it together',
    () => {
      run('biome', 'check', '--write', '--linter-enabled=false', ...paths);
      const types = run('tsc', '-p', 'tsconfig.json');
      expect(types.status, types.said).toBe(0);
      const lint = run('biome', 'check', '--error-on-warnings', ...paths);
      expect(lint.status, lint.said).toBe(0);
    },
    BUSY_MS,
  );

  it(
    'gives everything a test, and those run',
    () => {
      const tests = paths.filter(path => path.endsWith('.test.ts'));
      expect(tests).toHaveLength(THINGS.length);
      const { status, said } = run('vitest', 'run', ...tests);
      expect(status, said).toBe(0);
    },
    BUSY_MS,
  );

  it('goes through no wall between rooms', () => {
    expect(getBreaches(readSources(house), readRooms(house))).toEqual([]);
  });

  it('overwrites nothing, and writes nothing where something is in the way', () => {
    const before = readFileSync(join(house, 'src/core/model/check.ts'), 'utf8');
    expect(() => add('check', 'size')).toThrow('src/checks/size.ts is there already');
    expect(readFileSync(join(house, 'src/core/model/check.ts'), 'utf8')).toBe(before);
  });

  it.each<[...Thing, string]>([
    ['check', 'No Zip', undefined, 'use small letters'],
    ['event', 'renamed', undefined, 'such as task.renamed'],
    ['event', 'lunch.eaten', undefined, '--in says which theme it belongs to: attempt'],
    ['command', 'x', 'kitchen', 'work, people, look, care'],
    ['door', 'x', undefined, '"door" is nothing that can be added so'],
  ])('%s %s is refused, with what would be right', (kind, name, folder, why) => {
    expect(() => add(kind, name, folder)).toThrow(why);
  });
});
