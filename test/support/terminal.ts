import { spawn } from 'node:child_process';

/** What was shown at a terminal, and how the command ended. */
export interface Shown {
  readonly code: number;
  readonly text: string;
}

/** Part of what is shown, and what somebody types once they have read it. */
export type Typed = readonly [prompt: string, answer: string];

const PATIENCE_MS = 60_000;

/** Runs a line of shell at a terminal of its own (by `script`), where somebody answers what they are asked. */
export function typeAtTerminal(
  line: string,
  typed: readonly Typed[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Shown> {
  const args = ['-q', '-e', '-c', line, '/dev/null'];
  const child = spawn('script', args, {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
  });
  const left = [...typed];
  let text = '';
  let read = 0;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    const [next] = left;
    const at = next ? text.indexOf(next[0], read) : -1;
    if (!next || at < 0) return;
    read = at + next[0].length;
    left.shift();
    child.stdin.write(`${next[1]}\n`);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? -1, text }));
  });
}
