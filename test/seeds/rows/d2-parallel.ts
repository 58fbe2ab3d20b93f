import assert from 'node:assert/strict';
import { join } from 'node:path';
import { getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';
import { CONCURRENT, getLanded, runTogether } from '../together.ts';

/** What happens side by side, and what one after the other. */
export const PARALLEL: readonly Row[] = [
  {
    id: 'D2.1',
    asked: 'tasks whose dependencies are done run at the same time',
    command: 'two times harness run --all, with concurrency_mode: concurrent',
    seen: 'each agent meets the other one at work; both tasks land',
    async show(stage) {
      const { met, landed } = await meet(stage, [['src/1.txt'], ['src/2.txt']]);
      assert.deepEqual(met, ['1', '2']);
      assert.deepEqual(landed, ['1', '2']);
    },
  },
  { id: 'D2.2', asked: 'one process alone writes the state', later: 'workers' },
  {
    id: 'D2.3',
    asked: 'tasks that share output files run one after the other',
    command: 'the same, with one file in output_files of both',
    seen: 'neither agent meets the other; both tasks land',
    async show(stage) {
      const { met, landed } = await meet(stage, [
        ['src/1.txt', 'docs/list.md'],
        ['src/2.txt', 'docs/list.md'],
      ]);
      assert.deepEqual(met, []);
      assert.deepEqual(landed, ['1', '2']);
    },
  },
  {
    id: 'D2.4',
    asked: 'overlap is looked for before each batch, globs included',
    command: 'the same, with a glob in files of one and a path under it in the other',
    seen: 'neither agent meets the other; both tasks land',
    async show(stage) {
      const { met, landed } = await meet(stage, [['src/**'], ['src/2.txt']], 'files');
      assert.deepEqual(met, []);
      assert.deepEqual(landed, ['1', '2']);
    },
  },
  {
    id: 'D2.5',
    asked: 'at most four at a time, fewer after a failure, more after a success',
    later: 'workers',
  },
];

/** Two agents that look out for each other for a while, each in a run of its own: who met whom, and what landed. */
async function meet(
  stage: Stage,
  outputs: readonly (readonly string[])[],
  field: 'output_files' | 'files' = 'output_files',
): Promise<{ met: readonly string[]; landed: readonly string[] }> {
  const features = outputs.map((files, at) => ({
    ...{ id: at + 1, description: `Thing ${at + 1} exists`, test_file: `test/thing-${at + 1}.sh` },
    ...{ passes: false, [field]: files },
  }));
  const project = stage.project({ ...CONCURRENT, 'features.json': getBacklog(features) });
  const marks = join(project.dir, '..', 'marks');
  project.commit({ 'agent.yaml': `tasks:\n${getSteps(marks, 1, 2)}${getSteps(marks, 2, 1)}` });
  for (const { code, text } of await runTogether(project, 2)) assert.equal(code, 0, text);
  return { met: ['1', '2'].filter(id => project.has(`../marks/${id}.met`)), landed: getLanded(project) };
}

/** Whoever is alone gives up after two seconds. */
function getSteps(marks: string, id: number, other: number): string {
  const look = `for i in $(seq 40); do if [ -e ${other} ]; then touch ${id}.met; break; fi; sleep 0.05; done`;
  const run = `mkdir -p ${marks} && cd ${marks} && touch ${id} && ${look}; sleep 0.2; rm ${id}`;
  const edit = `{ edit: { file: src/${id}.txt, content: "${id}" } }`;
  return `  "${id}": [{ run: ${JSON.stringify(run)} }, ${edit}, { claim: done }]\n`;
}
