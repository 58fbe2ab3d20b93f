import { CONFIG } from '../support/sample-project.ts';
import type { SeedProject, Stage } from './stage.ts';

/** Where harness-loop keeps its tasks. */
export const LOOP_FILE = '.harness/tasks.json';

/** A task as harness-loop writes it, every field of its own; proven by a file with its id. */
export function getLoopTask(id: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    title: `Write ${id}`,
    description: `The file src/${id}.txt is there.`,
    phase: 'engineering',
    status: 'pending',
    dependencies: [],
    acceptance_criteria: [`src/${id}.txt exists`],
    output_files: [`src/${id}.txt`],
    retry_count: 0,
    started_at: null,
    completed_at: null,
    notes: null,
    validation: `test -f src/${id}.txt`,
    ...more,
  };
}

export function getLoopFile(tasks: readonly object[]): string {
  const metadata = {
    project_name: 'todo',
    created_at: '2026-03-02T10:00:00Z',
    updated_at: '2026-03-02T14:30:00Z',
    current_phase: 'engineering',
    telegram_chat_id: '',
    telegram_bot_token_env: 'HARNESS_TG_TOKEN',
    rework_tasks_created: 0,
  };
  return `${JSON.stringify({ metadata, tasks }, null, 2)}\n`;
}

/** Does whatever task it is given. */
export const WRITES = (...ids: readonly string[]) =>
  `tasks:\n${ids.map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`).join('\n')}\n`;

/** A project of harness-loop whose tasks are driven where they are. */
export function makeLoopProject(
  stage: Stage,
  tasks: readonly object[],
  more: Readonly<Record<string, string>> = {},
): SeedProject {
  const ids = tasks.map(task => String((task as { id: unknown }).id));
  return stage.repository({
    '.harness.yaml': `${CONFIG}paths: { features: ${LOOP_FILE} }\n`,
    'agent.yaml': WRITES(...ids),
    'test/all.sh': 'exit 0\n',
    [LOOP_FILE]: getLoopFile(tasks),
    ...more,
  });
}
