/** The commands that matter, in the order they are met: what `harness` alone shows first. */
export const MAIN = ['init', 'add', 'doctor', 'run', 'status', 'inbox', 'approve', 'verify'] as const;

/** All others, by what they are for. A test holds every command to be in one of these lists. */
export const TOPICS: readonly (readonly [string, readonly string[]])[] = [
  ['setting up', ['plan', 'add-feature', 'split', 'import', 'export', 'migrate']],
  ['working', ['loop', 'next', 'cleanup', 'drop', 'recover', 'reset', 'skip']],
  ['deciding', ['answer', 'manual-verify', 'override', 'handoff', 'takeback']],
  ['stopping', ['pause', 'resume', 'stop', 'abort']],
  ['looking', ['report', 'log', 'proof', 'audit', 'health']],
  ['the rest', ['demo', 'version', 'completion', 'man', 'help']],
];
