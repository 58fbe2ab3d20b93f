import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawRooms } from './draw-rooms.ts';
import { getFigures } from './measure.ts';
import { readSources } from './read-sources.ts';
import { getBreaches, getMap, putMap, readRooms } from './rooms.ts';
import { traceOneTask } from './trace.ts';

const HELP = `npm run graph -- [--json] [--write] [--trace]
Measures the imports below src, and fails on one that a room's README does not allow.
--write puts the map into ARCHITECTURE.md and the picture into docs/rooms.svg.
--trace lets an instrumented build land one task, and counts the files, functions and folders it passes.`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.trace) print(await traceOneTask(process.cwd()));
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
  print(figures);
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0 || figures.cycles + figures.typeCycles > 0) process.exitCode = 1;
}

function print(figures: object): void {
  if (values.json) console.log(JSON.stringify(figures));
  else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(22)} ${value}`);
}
