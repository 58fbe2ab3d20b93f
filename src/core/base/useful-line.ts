/**
 * The line of a failed command's output that says most about why: its first error, not the warnings and the
 * headlines before it; without any, the last thing it said.
 */
export function getUsefulLine(output: string): string {
  const lines = output
    .replace(COLOURS, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !NOISE.test(line));
  const telling = lines.find(line => TELLING.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return telling.length > MAX_CHARS ? `${telling.slice(0, MAX_CHARS)}…` : telling;
}

const MAX_CHARS = 200;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** Warnings, stack frames, and lines that only announce the one that tells. */
const NOISE =
  /^npm (?:warn|notice)\b|^npm (?:error|ERR!) *(?:$|code |errno |syscall |path |A complete log)|^at |^> |^\[(?:INFO|WARNING)\]|^\W*$|^(?:Traceback|During handling)|^(?:warning|WARN|DeprecationWarning)\b/i;

const TELLING =
  /\berr(?:or)?\b|\bERR!|\bfatal\b|\bfail(?:ed|ure)\b|\bcannot\b|\bcould not\b|\bnot found\b|\bno such\b|\bno module\b|\bmissing\b|\bE[A-Z]{4,}\b|\bnot installed\b|Error:/i;
