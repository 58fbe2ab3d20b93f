import assert from 'node:assert/strict';
import { chmodSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../behaviour.ts';
import { ACTIVE, getPlan, makePlansProject } from '../plans-project.ts';

const DAMAGED = '{ "project": "sample", "features": [\n';

/** Ends the process the moment it would put a file in the place of the damaged one. */
const KILL = `const fs = require('node:fs');
const rename = fs.renameSync;
fs.renameSync = (from, to) => (/features\\.json$/.test(to) ? process.kill(process.pid, 'SIGKILL') : rename(from, to));
require('node:module').syncBuiltinESMExports();
`;

/** What putting a file back leaves of it as it was: its kind, its rights, and nothing beside it. */
export const RESTORE: readonly Row[] = [
  {
    id: 'A13.9',
    asked: 'a plan that cannot be read is put back by itself',
    command: 'harness status, recover --restore with one damaged plan of two',
    seen: 'named with the way on; that plan as committed, .bak with the damaged text, the other untouched',
    async show(stage) {
      const [first, second] = [`${ACTIVE}/0001-first.md`, `${ACTIVE}/0002-second.md`];
      const later = getPlan('0002', { depends_on: ['0001'] });
      const project = makePlansProject(stage, { [first]: getPlan('0001'), [second]: later });
      const damaged = '---\nid: [0001\n---\n';
      project.write({ [first]: damaged, [second]: `${later}\nMore words.\n` });
      assert.match(
        (await project.harness('status')).text,
        /0001-first\.md cannot be read[\s\S]*recover --restore/,
      );
      const { code, text } = await project.harness('recover', '--restore');
      assert.equal(code, 0, text);
      assert.match(text, /0001-first\.md is as in commit/);
      assert.equal(project.read(first), getPlan('0001'));
      assert.equal(project.read(`${first}.bak`), damaged);
      assert.match(project.read(second), /More words/);
      assert.match((await project.harness('recover', '--restore')).text, /nothing to restore/);
    },
  },
  {
    id: 'A13.10',
    asked: 'a restored file has the rights that it had, and a link stays a link',
    command: 'harness recover --restore with a read-only features.json, and with one that is a link',
    seen: 'mode 444; the file that the link leads to as committed',
    async show(stage) {
      const project = stage.project();
      const good = project.read('features.json');
      project.write({ 'features.json': DAMAGED });
      chmodSync(join(project.dir, 'features.json'), 0o444);
      assert.equal((await project.harness('recover', '--restore')).code, 0);
      assert.equal(project.read('features.json'), good);
      assert.equal(statSync(join(project.dir, 'features.json')).mode & 0o777, 0o444);

      const linked = stage.project({ 'features.json': null, 'list/features.json': good });
      await linked.sh('ln -s list/features.json features.json && git add -A && git commit -qm Link');
      linked.write({ 'list/features.json': DAMAGED });
      const { code, text } = await linked.harness('recover', '--restore');
      assert.equal(code, 0, text);
      assert.ok(lstatSync(join(linked.dir, 'features.json')).isSymbolicLink());
      assert.equal(linked.read('list/features.json'), good);
      assert.equal(linked.git('status', '--porcelain'), '?? list/features.json.bak');
    },
  },
  {
    id: 'A13.11',
    asked: 'a restore that is killed leaves nothing of itself in the project',
    command: 'harness recover --restore, killed before the file is in its place; again',
    seen: 'the damaged file and its copy alone; then the good one',
    async show(stage) {
      const project = stage.project();
      const good = project.read('features.json');
      project.write({ 'features.json': DAMAGED, '../kill.cjs': KILL });
      const env = { NODE_OPTIONS: `--require=${join(project.dir, '..', 'kill.cjs')}` };
      assert.notEqual((await project.harnessIn(env, 'recover', '--restore')).code, 0);
      assert.equal(project.read('features.json'), DAMAGED);
      assert.doesNotMatch(project.git('status', '--porcelain', '--ignored'), /tmp/);
      assert.equal((await project.harness('recover', '--restore')).code, 0);
      assert.equal(project.read('features.json'), good);
      assert.equal((await project.sh('find . -name "*.tmp"')).out, '');
    },
  },
];
