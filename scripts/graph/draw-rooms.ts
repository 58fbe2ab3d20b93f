import { getRoomEdges } from './measure.ts';
import type { SourceFile } from './read-sources.ts';
import type { Room } from './rooms.ts';

/** Rooms of one family are drawn as one box: adapters/git/trees belongs to adapters. */
const WHOLE = new Set(['adapters', 'backlog', 'config', 'checks']);
const BOX = { width: 150, height: 34, gapX: 24, gapY: 58 };

/** Which rooms import which, each row above the rows it imports. */
export function drawRooms(files: readonly SourceFile[], rooms: readonly Room[]): string {
  const edges = getFamilyEdges(files, rooms);
  const rows = getRows(edges);
  const width = Math.max(...rows.map(row => row.length)) * (BOX.width + BOX.gapX) + BOX.gapX;
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  rows.forEach((row, y) => {
    const left = (width - row.length * (BOX.width + BOX.gapX) + BOX.gapX) / 2;
    row.forEach((name, x) => {
      places.set(name, {
        x: left + x * (BOX.width + BOX.gapX),
        y: BOX.gapX + y * (BOX.height + BOX.gapY),
      });
    });
  });
  const height = rows.length * (BOX.height + BOX.gapY) - BOX.gapY + 2 * BOX.gapX;
  const lines = [...edges].flatMap(([from, tos]) =>
    [...tos].map(to => getLine(places.get(from), places.get(to))),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Which room imports which</title>',
    '<style>rect{fill:#eef3fb;stroke:#5b7db1}text{fill:#1c2b43;text-anchor:middle}line{stroke:#8a97a8;stroke-opacity:.55}',
    '@media(prefers-color-scheme:dark){rect{fill:#1d2a3d;stroke:#6f93cc}text{fill:#dfe8f5}line{stroke:#7d8ba0}}</style>',
    ...lines,
    ...[...places].map(([name, at]) => getBox(name, at)),
    '</svg>\n',
  ].join('\n');
}

function getFamilyEdges(files: readonly SourceFile[], rooms: readonly Room[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const [from, tos] of getRoomEdges(files, rooms)) {
    const own = edges.get(getFamily(from)) ?? new Set();
    edges.set(getFamily(from), own);
    for (const to of tos) if (getFamily(to) !== getFamily(from)) own.add(getFamily(to));
  }
  return edges;
}

function getFamily(room: string): string {
  const top = room.split('/')[0] ?? room;
  return WHOLE.has(top) ? top : room;
}

/** A room stands one row above the highest of those it imports. */
function getRows(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const depths = new Map<string, number>();
  const getDepth = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    depths.set(name, 0);
    const depth = Math.max(-1, ...[...(edges.get(name) ?? [])].map(getDepth)) + 1;
    depths.set(name, depth);
    return depth;
  };
  const rows: string[][] = [];
  for (const name of edges.keys()) {
    const depth = getDepth(name);
    rows[depth] = [...(rows[depth] ?? []), name];
  }
  return rows.reverse();
}

type Point = { readonly x: number; readonly y: number } | undefined;

function getLine(from: Point, to: Point): string {
  if (!from || !to) return '';
  const half = BOX.width / 2;
  return `<line x1="${from.x + half}" y1="${from.y + BOX.height}" x2="${to.x + half}" y2="${to.y}"/>`;
}

function getBox(name: string, { x, y }: NonNullable<Point>): string {
  const text = `<text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 4}">${name}</text>`;
  return `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>${text}`;
}
