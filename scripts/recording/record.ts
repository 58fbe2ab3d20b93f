import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** A line as a terminal showed it, with the colours in it, and when it was there. */
export interface ShownLine {
  readonly atMs: number;
  readonly text: string;
}

/** Runs a program as on a terminal with colours, and notes when each line came. */
export function recordLines(command: readonly string[]): Promise<readonly ShownLine[]> {
  const [program = '', ...args] = command;
  const startMs = performance.now();
  const lines: ShownLine[] = [];
  let open = '';
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined, CI: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (open + text).split('\n');
      open = parts.pop() ?? '';
      const atMs = Math.round(performance.now() - startMs);
      for (const line of parts) lines.push({ atMs, text: line });
    });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve(lines);
      else reject(new Error(`${command.join(' ')} ended with ${code}`));
    });
  });
}

/** How many cells of a terminal the widest line takes. */
export function getWidth(lines: readonly ShownLine[]): number {
  return Math.max(...lines.map(line => [...stripVTControlCharacters(line.text)].length));
}
