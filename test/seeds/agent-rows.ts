import type { Files, SeedProject, Stage } from './stage.ts';

/** One line of a transcript. */
export interface TranscriptLine {
  readonly type: string;
  readonly text?: string;
  readonly delivery?: string;
  readonly [more: string]: unknown;
}

/** The sample project with its first task alone, worked on by a program of shell lines. */
export function getProgramProject(stage: Stage, script: string, more: ProgramFiles = {}): SeedProject {
  const { config = '', ...files } = more;
  return stage.project({
    'agent.sh': `#!/bin/sh\n${script}\n`,
    '.harness.yaml': `${HEAD}agent: { provider: command, command: ./agent.sh }\n${config}`,
    ...files,
  });
}

interface ProgramFiles extends Files {
  /** Sections of the configuration. */
  readonly config?: string;
}

const HEAD = `project: { name: sample }
testing: { runner: command, full: sh test/all.sh, feature: "sh {file}" }
verification: { require_evidence: false }
`;

/** The first session's transcript; the lines of one kind where one is named. */
export async function readTranscript(
  project: SeedProject,
  type?: string,
): Promise<readonly TranscriptLine[]> {
  const { out } = await project.sh('cat .harness/sessions/session-1-*.jsonl');
  const lines = out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as TranscriptLine);
  return lines.filter(line => type === undefined || line.type === type);
}

/** What agents did, as the log of actions has it. */
export function readActions(project: SeedProject): readonly TranscriptLine[] {
  return project
    .read('.harness/logs/agent_actions.jsonl')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as TranscriptLine);
}
