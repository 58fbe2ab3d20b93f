import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';

const DAMAGED = '{ "project": "sample", "features": [\n';

/** Files that cannot be read: refused, named, and put back on request. */
export const DAMAGE: readonly Row[] = [
  {
    id: 'A13.1',
    asked: 'a backlog that cannot be parsed stops, and nothing is overwritten',
    command: 'harness run with a truncated features.json committed',
    seen: 'exit 2 with file and line; the file as it was',
    async show(stage) {
      const project = stage.project();
      project.commit({ 'features.json': DAMAGED });
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /features\.json: is not JSON: line 2/);
      assert.equal(project.read('features.json'), DAMAGED);
    },
  },
  {
    id: 'A13.2',
    asked: 'it is restored from the last good version, the damaged one is kept as .bak',
    command: 'harness recover --restore; git add, commit; harness run',
    seen: 'the file as it was committed before, .bak with the damaged text, and the task lands',
    async show(stage) {
      const project = stage.project();
      const good = project.read('features.json');
      project.commit({ 'features.json': DAMAGED });
      const named = await project.harness('recover');
      assert.match(named.text, /go back to commit [0-9a-f]{10}, the last that can be read/);
      const { code, text } = await project.harness('recover', '--restore');
      assert.equal(code, 0, text);
      assert.equal(project.read('features.json'), good);
      assert.equal(project.read('features.json.bak'), DAMAGED);
      project.git('add', 'features.json');
      project.git('commit', '-q', '-m', 'Restore');
      const run = await project.harness('run');
      assert.equal(run.code, 0, run.text);
    },
  },
  {
    id: 'A13.3',
    asked: 'a valid .bak is used where no commit has a good version, and stays',
    command: 'harness recover --restore with features.json.bak beside a backlog that was never good',
    seen: 'restored from the copy',
    async show(stage) {
      const project = stage.project();
      const good = project.read('features.json');
      const fresh = stage.project({ 'features.json': DAMAGED });
      fresh.write({ 'features.json.bak': good });
      const { code, text } = await fresh.harness('recover', '--restore');
      assert.equal(code, 0, text);
      assert.equal(fresh.read('features.json'), good);
      assert.equal(fresh.read('features.json.bak'), good);
      assert.equal(fresh.read('features.json.bak2'), DAMAGED);
    },
  },
  {
    id: 'A13.4',
    asked: 'without any good version: said, and stop',
    command: 'harness recover --restore with neither',
    seen: 'exit 2, the file untouched',
    async show(stage) {
      const project = stage.project({ 'features.json': DAMAGED });
      const { code, text } = await project.harness('recover', '--restore');
      assert.equal(code, 2, text);
      assert.match(text, /No version of features\.json/);
      assert.equal(project.read('features.json'), DAMAGED);
    },
  },
  {
    id: 'A13.5',
    asked: 'a damaged configuration is restored, too',
    command: 'harness recover --restore with a .harness.yaml that is no YAML',
    seen: 'as it was committed, .bak with the damaged text',
    async show(stage) {
      const project = stage.project();
      const good = project.read('.harness.yaml');
      project.write({ '.harness.yaml': 'project: [\n' });
      assert.equal((await project.harness('status')).code, 2);
      const { code, text } = await project.harness('recover', '--restore');
      assert.equal(code, 0, text);
      assert.equal(project.read('.harness.yaml'), good);
      assert.equal(project.read('.harness.yaml.bak'), 'project: [\n');
    },
  },
  {
    id: 'A13.6',
    asked: 'what would be restored can be seen beforehand; what is whole is left alone',
    command: 'harness recover --restore --dry-run; harness recover --restore on a healthy project',
    seen: 'no file written',
    async show(stage) {
      const project = stage.project();
      const healthy = await project.harness('recover', '--restore');
      assert.match(healthy.text, /nothing to restore/);
      project.write({ 'features.json': DAMAGED });
      const { code, text } = await project.harness('recover', '--restore', '--dry-run');
      assert.equal(code, 0, text);
      assert.match(text, /features\.json would be as in commit/);
      assert.equal(project.read('features.json'), DAMAGED);
      assert.equal(project.has('features.json.bak'), false);
    },
  },
  {
    id: 'A13.7',
    asked: 'damage is named also while work waits on harness/landed',
    command: 'harness run; harness recover; harness status, with parted branches and a damaged backlog',
    seen: 'the file and the line in each',
    async show(stage) {
      const project = stage.project();
      project.write({ 'src/1.txt': 'my own\n' });
      const first = await project.harness('run');
      assert.equal(first.code, 0, first.text);
      assert.match(project.git('branch', '--list', 'harness/landed'), /harness\/landed/);
      project.commit({ 'features.json': DAMAGED });
      for (const args of [['run'], ['recover'], ['status']]) {
        const { text } = await project.harness(...args);
        assert.match(text, /features\.json: is not JSON: line 2/, args[0]);
      }
    },
  },
  {
    id: 'A13.8',
    asked: 'damage in the checkout alone is named, and never to be committed',
    command: 'harness status; next; recover; run, with a damaged features.json that is not committed',
    seen: 'the file, the line and recover --restore in each; the committed tasks run',
    async show(stage) {
      const project = stage.project();
      project.write({ 'features.json': DAMAGED });
      for (const args of [['status'], ['next'], ['recover', '--dry-run'], ['recover'], ['run']]) {
        const { text } = await project.harness(...args);
        assert.match(text, /features\.json: is not JSON: line 2.*harness recover --restore/, args[0]);
        assert.doesNotMatch(text, /git add|nothing to recover/, args[0]);
      }
      assert.match(project.log(), /Completed \[1\]/);
      assert.equal(project.read('features.json'), DAMAGED);
      assert.equal((await project.harness('recover', '--restore')).code, 0);
      assert.doesNotMatch((await project.harness('recover')).text, /is not JSON/);
    },
  },
];
