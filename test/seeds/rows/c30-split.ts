import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const SPLITS = `planner:
  - answer:
      summary: Two halves.
      tasks:
        - { id: "7", title: First half, depends_on: [], test_file: test/half-1.sh, files: [src/7.txt], size: small, verification_steps: [It is there, It says 7, It stays] }
        - { id: "8", title: Second half, depends_on: ["7"], test_file: test/half-2.sh, files: [src/8.txt], size: small, verification_steps: [It is there, It says 8, It stays] }
`;

/** A task that is too large. */
export const SPLIT: readonly Row[] = [
  {
    id: 'C30.1',
    asked: 'a large task is split by a planner',
    command: 'harness split 2 --yes',
    seen: 'two tasks in its place, each with a test file, as one commit',
    async show(stage) {
      const project = await makeSplit(stage);
      const { features } = project.readJson<{ features: { id: number; test_file: string }[] }>(
        'features.json',
      );
      assert.deepEqual(
        features.map(({ id }) => id),
        [1, 3, 7, 8],
      );
      assert.match(project.git('log', '-1', '--format=%s'), /Split task 2 into 2/);
    },
  },
  {
    id: 'C30.2',
    asked: 'what waited for it waits for the parts, and the parts for what it waited for',
    command: 'harness split 2 --yes',
    seen: '3 after 8, 7 after 1',
    async show(stage) {
      const project = await makeSplit(stage);
      const { features } = project.readJson<{ features: { id: number; depends_on?: number[] }[] }>(
        'features.json',
      );
      const needs = new Map(features.map(({ id, depends_on }) => [id, depends_on]));
      assert.deepEqual([needs.get(3), needs.get(7)], [[8], [1]]);
    },
  },
  {
    id: 'C30.3',
    asked: 'a split is shown before it is made',
    command: 'harness split 2 --dry-run',
    seen: 'the parts, and the backlog as it was',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': SPLITS });
      const before = project.read('features.json');
      const { out, text } = await project.harness('split', '2', '--dry-run');
      assert.match(out, /First half/, text);
      assert.equal(project.read('features.json'), before);
    },
  },
];

async function makeSplit(stage: Stage): Promise<SeedProject> {
  const project = stage.project({ 'agent.yaml': SPLITS });
  const { code, text } = await project.harness('split', '2', '--yes');
  assert.equal(code, 0, text);
  return project;
}
