import type { Detection } from '../config/detect.ts';
import type { PlanFile } from './plan-file.ts';

/** `init.sh` and `reset.sh` for what the project is made of. Both can be run again and again. */
export function getEnvironmentScripts({ language, install }: Detection): readonly PlanFile[] {
  const up = [...getUp(language, install), 'echo "The project is ready for work."'];
  const clean = CLEAN[language] ?? [];
  return [
    script('init.sh', 'Brings the project up for work; does nothing that has been done already.', up),
    script('reset.sh', 'Throws away what can be made again, then brings the project up.', [
      ...clean,
      'exec ./init.sh',
    ]),
  ];
}

function script(path: string, what: string, lines: readonly string[]): PlanFile {
  const head = ['#!/usr/bin/env bash', `# ${what}`, 'set -euo pipefail', 'cd "$(dirname "$0")"', ''];
  return { path, text: `${[...head, ...lines].join('\n')}\n`, executable: true };
}

function getUp(language: string, install: string | null): readonly string[] {
  const needs = NEEDS[language] ?? [];
  if (install === null) return needs;
  const once = language === 'node' ? ['if [ ! -d node_modules ]; then', `  ${install}`, 'fi'] : [install];
  return [...needs, ...once];
}

/** A missing tool is said at once, by name. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  node: ['command -v node > /dev/null || { echo "node is missing" >&2; exit 1; }'],
  python: ['command -v python3 > /dev/null || { echo "python3 is missing" >&2; exit 1; }'],
  go: ['command -v go > /dev/null || { echo "go is missing" >&2; exit 1; }'],
  rust: ['command -v cargo > /dev/null || { echo "cargo is missing" >&2; exit 1; }'],
};

const CLEAN: Readonly<Record<string, readonly string[]>> = {
  node: ['rm -rf -- coverage', 'if [ -f package-lock.json ]; then', '  rm -rf -- node_modules', 'fi'],
  python: [
    'rm -rf -- .pytest_cache .ruff_cache',
    "find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf -- {} +",
  ],
  go: ['go clean -testcache'],
  rust: ['rm -rf -- target'],
};
