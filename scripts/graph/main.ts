import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawRooms } from './draw-rooms.ts';
import { getFigures } from './measure.ts';
import { readSources } from './read-sources.ts';
import { getBreaches, getMap, putMap, readRooms } from './rooms.ts';

const HELP = `npm run graph -- [--json] [--write]
Measures the imports below src, and fails on one that a room's README does not allow.
--write puts the map into ARCHITECTURE.md and the picture into docs/rooms.svg.`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else run(process.cwd());

function run(root: string): void {
  const files = readSources(root);
  const rooms = readRooms(root);
  const figures = getFigures(files, rooms);
  const breaches = getBreaches(files, rooms);
  if (values.write) {
    writeFileSync('ARCHITECTURE.md', putMap(readFileSync('ARCHITECTURE.md', 'utf8'), getMap(rooms)));
    writeFileSync('docs/rooms.svg', drawRooms(files, rooms));
  }
  if (values.json) console.log(JSON.stringify(figures));
  else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(22)} ${value}`);
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0 || figures.cycles + figures.typeCycles > 0) process.exitCode = 1;
}
