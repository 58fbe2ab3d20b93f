import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drawRooms } from '../../scripts/graph/draw-rooms.ts';
import { getFigures } from '../../scripts/graph/measure.ts';
import { readSources, type SourceFile } from '../../scripts/graph/read-sources.ts';
import { getBreaches, getMap, putMap, type Room, readRooms } from '../../scripts/graph/rooms.ts';

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
