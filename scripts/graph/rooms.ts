import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { SourceFile } from './read-sources.ts';

/** A folder of `src` with a README, and every folder below it that has none. */
export interface Room {
  /** Below `src`; `src` for what lies at the top. */
  readonly name: string;
  readonly folder: string;
  /** What lives there. */
  readonly about: string;
  /** Rooms, folders of rooms, or a folder beside `src`. */
  readonly mayImport: readonly string[];
}

const WALL = /^May import (.+)\.$/m;

/** A room says in its README what lives in it and what it may import. */
export function readRooms(root: string): Room[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(name => posix.join('src', name.replaceAll('\\', '/')))
    .filter(path => path === 'src/README.md' || path.endsWith('/README.md'))
    .sort()
    .map(path => readRoom(root, dirname(path)));
}

function readRoom(root: string, folder: string): Room {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const [, about = ''] = text.split(/\n\n+/);
  const wall = text.match(WALL)?.[1];
  if (!wall) throw new Error(`${folder}/README.md: no line "May import …."; "May import nothing." closes it`);
  const mayImport = [...wall.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '');
  for (const name of mayImport) {
    if (!existsSync(join(root, 'src', name)) && !existsSync(join(root, name)))
      throw new Error(`${folder}/README.md: there is no room \`${name}\``);
  }
  return { name: folder === 'src' ? 'src' : folder.slice('src/'.length), folder, about, mayImport };
}

/** Every import that goes through a wall. */
export function getBreaches(files: readonly SourceFile[], rooms: readonly Room[]): string[] {
  const byName = new Map(rooms.map(room => [room.name, room]));
  return files.flatMap(({ path, imports }) => {
    const from = getRoom(path, rooms);
    const room = byName.get(from);
    if (!room) return [`${path}: is in no room; give its folder a README.md`];
    return imports
      .map(one => ({ path: one.path, to: getRoom(one.path, rooms) }))
      .filter(
        ({ to }) => to !== from && !room.mayImport.some(name => to === name || to.startsWith(`${name}/`)),
      )
      .map(one => `${path}: imports ${one.path}, and ${from} may not import ${one.to}`);
  });
}

/** The innermost room that a file is in; of what is not product, its folder at the top. */
export function getRoom(path: string, rooms: readonly Room[]): string {
  if (!path.startsWith('src/')) return path.split('/', 1)[0] ?? '';
  const around = rooms.filter(({ folder }) => path.startsWith(`${folder}/`));
  return around.reduce((best, room) => (room.folder.length > best.folder.length ? room : best), TOP).name;
}

const TOP: Room = { name: '', folder: '', about: '', mayImport: [] };

/** The rooms as ARCHITECTURE.md shows them. */
export function getMap(rooms: readonly Room[]): string {
  const rows = rooms.map(({ name, folder, about, mayImport }) => {
    const walls = mayImport.length === 0 ? '' : mayImport.map(one => `\`${one}\``).join(' ');
    return `| [\`${name}\`](${folder}) | ${about.replaceAll('\n', ' ')} | ${walls} |`;
  });
  return ['| room | what lives there | may import |', '|---|---|---|', ...rows].join('\n');
}

const BEGIN = '<!-- rooms: npm run graph -- --write -->';
const END = '<!-- /rooms -->';

/** The text with the map in the place of the one that it had. */
export function putMap(text: string, map: string): string {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`ARCHITECTURE.md: no lines "${BEGIN}" and "${END}"`);
  return `${text.slice(0, start)}${BEGIN}\n\n${map}\n\n${text.slice(end)}`;
}
