import { type RunGit, runGit } from '../src/adapters/git/repo/run-git.ts';

/** Counts the git commands of a session and what each took, to see where its time goes. */
export function createGitTrace(): { runGit: RunGit; take(): string } {
  let lines: string[] = [];
  let sinceMs = performance.now();
  return {
    runGit: async (args, options) => {
      const startedMs = performance.now();
      const result = await runGit(args, options);
      const [at, took] = [startedMs - sinceMs, performance.now() - startedMs];
      lines.push(
        `    ${at.toFixed(1).padStart(7)} +${took.toFixed(1).padStart(6)} ms  git ${getShort(args)}`,
      );
      return result;
    },
    take: () => {
      const text = [`  ${lines.length} git commands, until ${getMs(sinceMs)}`, ...lines].join('\n');
      lines = [];
      sinceMs = performance.now();
      return text;
    },
  };
}

function getMs(sinceMs: number): string {
  return `${(performance.now() - sinceMs).toFixed(1)} ms`;
}

function getShort(args: readonly string[]): string {
  return args
    .filter((arg, at) => arg !== '-c' && args[at - 1] !== '-c')
    .map(arg => arg.replace(/\b([0-9a-f]{8})[0-9a-f]{32,}/g, '$1'))
    .join(' ')
    .slice(0, 100);
}
