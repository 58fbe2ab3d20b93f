/** Agents that a script can be written for, beside those that have an SDK. */
export const SCRIPT_KINDS = ['claude-code', 'codex', 'aider', 'plain'] as const;

export type ScriptKind = (typeof SCRIPT_KINDS)[number];

/** Where `harness init --script` puts it. */
export const AGENT_SCRIPT = 'agent.sh';

interface Calls {
  /** The program that has to be there. */
  readonly program: string | null;
  /** Works on the files of the current folder. */
  readonly work: string;
  /** Only answers, and may read the candidate. */
  readonly answer: string;
}

const CALLS: Readonly<Record<ScriptKind, Calls>> = {
  'claude-code': {
    program: 'claude',
    work: 'exec claude -p --permission-mode acceptEdits --allowedTools "Bash Edit Write Read Glob Grep"',
    answer: 'exec claude -p --allowedTools "Read Glob Grep" --add-dir "$HARNESS_CANDIDATE_DIR"',
  },
  codex: {
    program: 'codex',
    work: 'exec codex exec --sandbox workspace-write --skip-git-repo-check -',
    answer: 'exec codex exec --sandbox read-only --skip-git-repo-check -',
  },
  aider: {
    program: 'aider',
    work: 'exec aider --yes-always --no-auto-commits --no-check-update --message-file "$HARNESS_PROMPT_FILE"',
    answer:
      'exec aider --yes-always --no-auto-commits --no-check-update --no-pretty --chat-mode ask --message-file "$HARNESS_PROMPT_FILE"',
  },
  plain: {
    program: null,
    work: `echo "say in ${AGENT_SCRIPT} what does the work" >&2
    exit 1   # exit 0 claims that the task is done`,
    answer: `echo "nobody answers as $HARNESS_ROLE: a person will be asked" >&2
    exit 1   # else print the answer, such as {"findings":[]}`,
  },
};

/** A program for `agent.command` that does each role's work: some edit files, the others only answer. */
export function getAgentScript(kind: ScriptKind): string {
  const { program, work, answer } = CALLS[kind];
  const check =
    program === null
      ? ''
      : `\ncommand -v ${program} >/dev/null || { echo "${program} is not installed, or not on PATH" >&2; exit 127; }\n`;
  return `#!/bin/sh
# What Harness starts as the agent. The prompt is on stdin and in $HARNESS_PROMPT_FILE, the task in
# $HARNESS_TASK_FILE; the current folder is the tree to work in. Exit 0 claims that it is done.
# It runs as it is committed. More: docs/agents.md of Harness
set -eu
: "\${HARNESS_CANDIDATE_DIR:=$PWD}"
${check}
case "\${HARNESS_ROLE:-coding}" in
  review | planner | summariser)
    # Answers on stdout, as JSON where the prompt asks for it, and changes nothing. A reviewer finds the
    # work in $HARNESS_CANDIDATE_DIR.
    ${answer}
    ;;
  *)
    # coding, continuation (of work that was cut off), feedback (on rejected work), cleanup, test-author
    ${work}
    ;;
esac
`;
}
