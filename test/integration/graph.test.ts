import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { drawRooms } from '../../scripts/graph/draw-rooms.ts';
import { getFigures } from '../../scripts/graph/measure.ts';
import { readSources, type SourceFile } from '../../scripts/graph/read-sources.ts';
import { getBreaches, getMap, putMap, type Room, readRooms } from '../../scripts/graph/rooms.ts';
import { addTelling, getTrace } from '../../scripts/graph/trace.ts';

const files = readSources('.');
const rooms = readRooms('.');

describe('the house', () => {
  it('has no import through a wall, no file outside a room and no cycle, types included', () => {
    expect(getBreaches(files, rooms)).toEqual([]);
    expect(getFigures(files, rooms)).toMatchObject({ cycles: 0, typeCycles: 0 });
  });

  it('has no folder that cannot be seen at a glance', () => {
    expect(getFigures(files, rooms).largestFolder).toBeLessThanOrEqual(22);
  });

  it('is drawn as it is: ARCHITECTURE.md and docs/rooms.svg are in step (npm run graph -- --write)', () => {
    const text = readFileSync('ARCHITECTURE.md', 'utf8');
    expect(putMap(text, getMap(rooms))).toBe(text);
    expect(drawRooms(files, rooms)).toBe(readFileSync('docs/rooms.svg', 'utf8'));
  });

  it('says two sentences about each room', () => {
    for (const { name, about } of rooms) expect(about, name).toMatch(/\.$/);
  });
});

describe('the graph', () => {
  const room = (name: string, ...mayImport: string[]): Room => ({
    name,
    folder: `src/${name}`,
    about: 'It is.',
    mayImport,
  });
  const file = (path: string, ...imports: string[]): SourceFile => ({
    path,
    lines: 10,
    imports: imports.map(one => ({ path: one, isType: true })),
    functions: [{ name: 'f', lines: 5, parameters: 1 }],
  });

  it('goes red on a forbidden import, also of a type', () => {
    const house = [room('core'), room('cli', 'core')];
    const good = [file('src/core/a.ts'), file('src/cli/b.ts', 'src/core/a.ts')];
    expect(getBreaches(good, house)).toEqual([]);
    const bad = [file('src/core/a.ts', 'src/cli/b.ts'), file('src/cli/b.ts')];
    expect(getBreaches(bad, house)).toEqual([
      'src/core/a.ts: imports src/cli/b.ts, and core may not import cli',
    ]);
  });

  it('goes red on a file in no room', () => {
    expect(getBreaches([file('src/new/a.ts')], [room('core')])).toEqual([
      'src/new/a.ts: is in no room; give its folder a README.md',
    ]);
  });

  it('counts cycles of files, of rooms, and files with one user beside them', () => {
    const house = [room('a', 'b'), room('b', 'a')];
    const knot = [
      file('src/a/1.ts', 'src/a/2.ts', 'src/b/1.ts'),
      file('src/a/2.ts'),
      file('src/b/1.ts', 'src/a/2.ts'),
    ];
    expect(getFigures(knot, house)).toMatchObject({ cycles: 0, typeCycles: 1, oneImporterSameFolder: 0 });
    const tied = [file('src/a/1.ts', 'src/a/2.ts'), file('src/a/2.ts', 'src/a/1.ts')];
    expect(getFigures(tied, house)).toMatchObject({
      typeCycles: 1,
      oneImporterSameFolder: 2,
      largestFolder: 2,
    });
  });
});

it('every function tells that it was entered, whatever it looks like', () => {
  const names: string[] = [];
  const text = `export const twice = (n: number) => ({ n: n * 2 });
export function sum(...all: number[]): number { return all.reduce((a, b) => a + b, 0); }
class A { get x(): number { return twice(sum(1, 2)).n; } }
globalThis.__result = new A().x;
`;
  const { code } = transformSync(addTelling(text, 'src/a.ts', names), { loader: 'ts', format: 'cjs' });
  const entered: string[] = [];
  const world = { __entered: (index: number) => entered.push(names[index] ?? ''), __result: 0 };
  new Function('globalThis', 'module', code)(world, {});
  expect(world.__result).toBe(6);
  expect(entered.map(name => name.replace(/:\d+$/, ''))).toEqual([
    'src/a.ts x',
    'src/a.ts sum',
    'src/a.ts sum',
    'src/a.ts sum',
    'src/a.ts twice',
  ]);
});

it('a trace counts each step out of a folder once', () => {
  const way = [
    'src/a/x.ts f',
    'src/a/y.ts g',
    'src/b/z.ts h',
    'src/a/x.ts f',
    'src/b/z.ts h',
    'src/a/x.ts f',
  ];
  expect(getTrace(way)).toEqual({ files: 3, functions: 3, calls: 6, folderChanges: 3 });
});
