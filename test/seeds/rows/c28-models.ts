import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Behaviour, Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const PROGRAM = CONFIG.replace(
  'agent: { provider: scripted, script: agent.yaml }',
  'agent: { provider: command, command: ./agent.sh }\nsandbox: { mode: "off" }',
);

const NOTES = `#!/bin/sh
echo "$HARNESS_ROLE $HARNESS_MODEL $HARNESS_EFFORT" >> "$HOME/roles"
[ "$HARNESS_ROLE" = planner ] || { mkdir -p src; echo x > src/1.txt; }
`;

/** Which model and effort a program was told for each kind of session. */
async function getTold(stage: Stage, models: string, ...runs: readonly (readonly string[])[]) {
  const files = { 'agent.sh': NOTES, 'spec.md': '# One\n', 'src/long.txt': '1\n2\n3\n' };
  const project = stage.project({ '.harness.yaml': `${PROGRAM}${models}`, ...files });
  for (const args of runs) await project.harness(...args);
  return project.read('../home/roles');
}

function told(id: string, asked: string, models: string, seen: RegExp, ...runs: string[][]): Behaviour {
  return {
    ...{ id, asked, command: runs.map(args => `harness ${args.join(' ')}`).join(', '), seen: String(seen) },
    show: async stage => assert.match(await getTold(stage, models, ...runs), seen),
  };
}

/** A model, and an effort, for each kind of session; every agent is told. */
export const MODELS: readonly Row[] = [
  told('C28.1', 'a default model, by its name alone', 'models: { default: m-1 }\n', /^coding m-1 $/m, [
    'run',
  ]),
  told(
    'C28.2',
    'a model for coding wins over the default',
    'models: { default: m-1, coding: { model: m-2, effort: high } }\n',
    /^coding m-2 high$/m,
    ['run'],
  ),
  told(
    'C28.3',
    'a cheaper model for cleaning up',
    'models: { default: m-1, cleanup: m-3 }\nquality: { cleanup_interval: 1, max_file_lines: 1 }\n',
    /^cleanup m-3 $/m,
    ['run'],
    ['run'],
  ),
  told(
    'C28.4',
    'the initializer is the planner, unless that is named too',
    'models: { default: m-1, initializer: m-4 }\n',
    /^planner m-4 $/m,
    ['plan', '--spec', 'spec.md'],
  ),
  told('C28.5', 'a model that is not named is not told', 'models: { cleanup: m-3 }\n', /^coding {2}$/m, [
    'run',
  ]),
];
