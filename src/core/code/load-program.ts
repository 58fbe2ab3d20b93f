import type { Entry } from './entries.ts';

/** What became of one target: the names it gives, or why it could not be loaded. */
export interface Loaded {
  readonly names?: readonly string[];
  readonly error?: string;
}

const MARK = 'harness:loaded ';

/** Loads each target as a user of the package would, and says what came of it, a line for each. */
const PROGRAM = `
const { createRequire } = await import("node:module");
const { pathToFileURL } = await import("node:url");
const say = process.stdout.write.bind(process.stdout);
const require = createRequire(process.cwd() + "/x.js");
for (const [how, path] of JSON.parse(process.argv[1])) {
  const file = process.cwd() + "/" + path;
  let result;
  try {
    const loaded = how === "require" ? require(file) : await import(pathToFileURL(file));
    const names = Object.keys(loaded ?? {}).sort();
    result = names.join().length > 1500 ? {} : { names };
  } catch (error) {
    const text = String((error && error.message) || error).split("\\n")[0];
    result = { error: text.replaceAll(process.cwd() + "/", "").slice(0, 300) };
  }
  say("\\n${MARK}" + JSON.stringify([how + " " + path, result]) + "\\n");
}
setImmediate(() => process.exit(0));
`;

/** The command that loads these targets. */
export function getLoadCommand(entries: readonly Pick<Entry, 'how' | 'path'>[]): string {
  const list = JSON.stringify(entries.map(({ how, path }) => [how, path]));
  return `node --input-type=module -e ${quote(PROGRAM.trim())} ${quote(list)}`;
}

/** What the command said, by how and path. */
export function parseLoaded(output: string): ReadonlyMap<string, Loaded> {
  const loaded = new Map<string, Loaded>();
  for (const line of output.split('\n')) {
    if (!line.startsWith(MARK)) continue;
    try {
      const [key, result] = JSON.parse(line.slice(MARK.length)) as [string, Loaded];
      loaded.set(key, result);
    } catch {
      // Cut off, or not ours.
    }
  }
  return loaded;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
