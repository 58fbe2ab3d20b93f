import type { SeedProject, Stage } from './stage.ts';

export const ACTIVE = 'docs/exec-plans/active';
export const COMPLETED = 'docs/exec-plans/completed';

/** A plan with the head of its own, proven by a file with its number. */
export function getPlan(id: string, more: Readonly<Record<string, unknown>> = {}): string {
  const head = {
    ...{ id, title: `Write ${id}`, phase: 'Foundation', status: 'active' },
    ...{ depends_on: [], estimated_passes: 2, acceptance_tags: ['files/there'] },
    validation: `test -f src/${id}.txt`,
    ...more,
  };
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n# Write ${id}\n\n## Goal\n\nThe file is there.\n`;
}

/** Its configuration as harness engineering has it: nothing but planDir makes the backlog. */
export function makePlansProject(
  stage: Stage,
  plans: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, unknown>> = { completedDir: COMPLETED },
): SeedProject {
  const ids = Object.keys(plans).map(path => /\d{4}/.exec(path)?.[0] ?? '');
  const moves = ids.map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`);
  return stage.repository({
    'harness.config.json': `${JSON.stringify(
      {
        planDir: ACTIVE,
        ...config,
        project: { name: 'sample' },
        testing: { runner: 'command', full: 'sh test/all.sh', feature: 'sh {file}' },
        agent: { provider: 'scripted', script: 'agent.yaml' },
        verification: { require_evidence: false },
      },
      null,
      2,
    )}\n`,
    'agent.yaml': `tasks:\n${moves.join('\n')}\n`,
    'test/all.sh': 'exit 0\n',
    ...plans,
    ...more,
  });
}
