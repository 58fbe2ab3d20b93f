import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { expectCode } from '../small-project.ts';
import type { SeedProject } from '../stage.ts';

/** Found from the repository: the rows are bundled. */
const readExample = (name: string): string =>
  readFileSync(join(process.cwd(), 'test', 'fixtures', 'coming-from', name), 'utf8');

const DEPENDS = `{ "project": "my-api", "features": ${readExample('features-depends.json').trimEnd()} }\n`;
const ENTRIES = ['feature-hybrid.json', 'feature-visual.json'].map(readExample).join(',');
const CHECKED = `{ "project": "my-api", "features": [${ENTRIES}] }\n`;

const FREE = CONFIG.replace('verification: {', 'features: { require_test_file: false }\nverification: {');
const TESTS = { 'tests/e2e/test_dashboard.py': '', 'tests/e2e/test_avatar_upload.py': '' };

/** Counts a task as done by a person's word, so that a run writes the file and nothing else. */
async function mark(project: SeedProject, id: string): Promise<void> {
  expectCode(await project.harness('override', '--feature', id, '--reason', 'seen', '--by', 'Ada'), 0);
  await project.harness('run', '--task', id);
}

/** Entries as the chapters on dependencies, on people's checks and on looks print them. */
export const EXAMPLES: readonly Row[] = [
  {
    id: 'C3.10',
    asked: 'the printed list of features with dependencies loads as it is, and one word of it changes',
    command: 'harness status, harness tasks, harness override --feature 3, harness run --task 3, git diff',
    seen: '2 of 5 landed, 3 after 1 and 2; false becomes true for it, and every other byte stays',
    async show(stage) {
      const project = stage.project({ '.harness.yaml': FREE, 'features.json': DEPENDS });
      const { code, out, err } = await project.harness('status');
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^Tasks: +2\/5 landed/m);
      assert.doesNotMatch(out, /^note:/m);
      assert.match((await project.harness('tasks')).out, /3 {2}Password reset {2}← 1, 2/);
      await mark(project, '3');
      const line = '"depends_on": [1,2], "passes": ';
      assert.equal(project.read('features.json'), DEPENDS.replace(`${line}false`, `${line}true`));
    },
  },
  {
    id: 'C3.11',
    asked: 'the printed entries with manual checks and with a look load as they are, and one word changes',
    command: 'harness status, harness run --dry-run, harness override --feature 30, harness run --task 30',
    seen: 'no complaint; checks and steps in the prompts; every other byte stays',
    async show(stage) {
      const project = stage.project({ ...TESTS, 'features.json': CHECKED });
      const { code, out, err } = await project.harness('status');
      assert.deepEqual([code, err], [0, '']);
      assert.doesNotMatch(out, /^note:/m);
      const prompt = async (id: string) => (await project.harness('run', '--task', id, '--dry-run')).out;
      assert.match(await prompt('30'), /Responsive breakpoints work[\s\S]*Animations feel smooth/);
      assert.match(
        await prompt('15'),
        /Navigate to \/profile\/settings[\s\S]*Verify avatar visible in header/,
      );
      await mark(project, '30');
      assert.equal(project.read('features.json'), CHECKED.replace('"passes": false', '"passes": true'));
    },
  },
];
