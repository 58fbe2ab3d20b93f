import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';

/** Run from anywhere, on a repository that is named; its state keeps itself out of git. */
export const REPO: readonly Row[] = [
  {
    id: 'E16.1',
    asked: '--repo names the repository to work on',
    command: 'harness status --repo <path>, from elsewhere',
    seen: 'the tasks of that repository',
    async show(stage) {
      const project = stage.project();
      const { code, text } = await stage.folder().harness('status', '--repo', project.dir);
      assert.equal(code, 0, text);
      assert.match(text, /0\/3 landed/);
    },
  },
  {
    id: 'E16.2',
    asked: 'HARNESS_TARGET_REPO says the same',
    command: 'HARNESS_TARGET_REPO=<path> harness run',
    seen: 'a task lands there',
    async show(stage) {
      const project = stage.project();
      const { code, text } = await stage.folder().harnessIn({ HARNESS_TARGET_REPO: project.dir }, 'run');
      assert.equal(code, 0, text);
      assert.ok(project.has('src/1.txt'));
    },
  },
  {
    id: 'E16.3',
    asked: 'the state directory ignores itself',
    command: 'harness run; git status',
    seen: '.gitignore with * in it, and a clean tree',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.match(project.read('.harness/.gitignore'), /^\*$/m);
      assert.equal(project.git('status', '--porcelain'), '');
    },
  },
  {
    id: 'E16.4',
    asked: 'stateDir is wherever the configuration says',
    command: 'harness run with paths.state_dir',
    seen: 'records there and nowhere else',
    async show(stage) {
      const project = stage.project();
      project.sh('true');
      const config = `${project.read('.harness.yaml')}paths: { state_dir: .orchestrator }\n`;
      project.commit({ '.harness.yaml': config });
      assert.equal((await project.harness('run')).code, 0);
      assert.ok(project.has('.orchestrator/logs') && !project.has('.harness'));
    },
  },
];
