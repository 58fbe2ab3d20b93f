/** What each made-up task is like, by its number: told to the agent by the file itself. */
export type Kind = 'plain' | 'lies-once' | 'breaks-once' | 'conflicts' | 'clashes' | 'never';

/** Most just do their work; a few are what a queue is for. */
export function getKind(task: number): Kind {
  if (task % 40 === 0) return 'never';
  if (task % 10 === 3 || task % 10 === 4) return 'conflicts';
  if (task % 20 === 7 || task % 20 === 8) return 'clashes';
  if (task % 13 === 0) return 'lies-once';
  return task % 11 === 0 ? 'breaks-once' : 'plain';
}

/** Two of a kind that clash: each passes alone, and with the other only what knows of both. */
const getPair = (task: number): number => Math.floor(task / 20);

export function getTest(task: number): string {
  const own = `import assert from 'node:assert';
import { existsSync } from 'node:fs';
export default async () => {
  const { value } = await import('../src/f${task}.mjs');
  assert.equal(value(2), ${task * 2});
`;
  const pair = getPair(task);
  const clash = `  const other = existsSync(new URL('../src/pair${pair}-${task % 2 === 0 ? 'odd' : 'even'}.mjs', import.meta.url));
  assert.equal(!other || existsSync(new URL('../src/pair${pair}-both.mjs', import.meta.url)), true);
`;
  return `${own}${getKind(task) === 'clashes' ? clash : ''}};\n`;
}

/** Runs the tests that it is given, or all, in one process: a suite of a hundred files costs hardly more than one. */
export const RUNNER = `import { readdirSync } from 'node:fs';
const given = process.argv.slice(2);
const files = given.length > 0 ? given : readdirSync('test').filter(name => /^t\\d+\\.mjs$/.test(name)).map(name => 'test/' + name);
let red = 0;
console.log('TAP version 13');
for (const [at, file] of files.entries()) {
  let why = '';
  try {
    await (await import(new URL('../' + file, import.meta.url))).default();
  } catch (error) {
    why = String(error.message).split('\\n')[0];
    red++;
  }
  console.log((why ? 'not ok ' : 'ok ') + (at + 1) + ' - ' + file + ' > works');
  if (why) console.log('  ---\\n  message: ' + JSON.stringify(why) + '\\n  ...');
}
console.log('1..' + files.length);
process.exitCode = red === 0 ? 0 : 1;
`;

/** The agent: as good and as bad as its task says. */
export const AGENT = `import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const task = Number(process.env.HARNESS_TASK_ID);
const attempt = Number(process.env.HARNESS_ATTEMPT);
const kinds = JSON.parse(readFileSync('kinds.json', 'utf8'));
const kind = kinds[task];
await sleep(300 + ((task * 7919 + attempt * 131) % 1200));
console.log('[USAGE] {"input_tokens":900,"output_tokens":80,"cached_tokens":0,"cost_usd":0.02}');
mkdirSync('src', { recursive: true });
const isBad = kind === 'never' || (attempt === 1 && (kind === 'lies-once' || kind === 'breaks-once'));
if (!isBad || kind === 'breaks-once') writeFileSync('src/f' + task + '.mjs', 'export const value = x => x * ' + task + ';\\n');
if (isBad && kind === 'breaks-once') writeFileSync('src/f0.mjs', 'export const value = () => 1;\\n');
if (kind === 'conflicts') {
  const path = 'src/list.txt';
  const lines = readFileSync(path, 'utf8').split('\\n').filter(Boolean);
  if (!lines.includes(String(task))) writeFileSync(path, [...lines, task].join('\\n') + '\\n');
}
if (kind === 'clashes') {
  const pair = 'src/pair' + Math.floor(task / 20);
  writeFileSync(pair + (task % 2 === 0 ? '-even' : '-odd') + '.mjs', 'export {};\\n');
  if (existsSync(pair + (task % 2 === 0 ? '-odd' : '-even') + '.mjs')) writeFileSync(pair + '-both.mjs', 'export {};\\n');
}
const listed = JSON.parse(readFileSync('features.json', 'utf8'));
for (const one of listed.features) if (Number(one.id) === task) one.passes = true;
writeFileSync('features.json', JSON.stringify(listed, null, 2) + '\\n');
console.log('task ' + task + ' is done');
`;
