import { writeFileSync } from 'node:fs';
import { drawRecording } from './draw-recording.ts';
import { recordLines } from './record.ts';

const PATH = 'docs/demo.svg';

// Plays the real demo once and draws what a terminal showed, with the times at which it was shown.
const shown = await recordLines([process.execPath, 'dist/harness.js', 'demo']);
const lines = [{ atMs: 0, text: '\x1b[1m$ npm run demo\x1b[22m' }, ...shown];
writeFileSync(PATH, drawRecording('npm run demo: six tasks, an agent that lies, and a kill -9', lines));
console.log(`${PATH}: ${lines.length} lines, ${Math.round((lines.at(-1)?.atMs ?? 0) / 1000)} s`);
