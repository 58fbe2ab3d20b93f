import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { readExample } from './c2-configuration.ts';

/** The mirror in GitHub's issues: not built, and nobody is left to believe that it is. */
export const MIRROR: readonly Row[] = [
  {
    id: 'C18.1',
    asked: 'project.github_repo and the section github are taken, and what they do not do is said',
    command: 'harness run',
    seen: 'a note for each before the first attempt; the task lands',
    async show(stage) {
      const config = CONFIG.replace('name: sample', 'name: sample, github_repo: user/my-api');
      const project = stage.project({ '.harness.yaml': `${config}github: { close_on_verify: false }\n` });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /note: .*project\.github_repo has no effect: issues are not mirrored yet/);
      assert.match(text, /note: .* github\.close_on_verify has no effect/);
      assert.ok(text.indexOf('not mirrored') < text.indexOf('task 1 landed'), text);
    },
  },
  {
    id: 'C18.2',
    asked: 'github.repo is project.github_repo',
    command: 'harness doctor; both set',
    seen: 'the same warning; two of them are an error',
    async show(stage) {
      const github = readExample('github');
      const project = stage.project({ '.harness.yaml': `${CONFIG}${github}` });
      assert.match((await project.harness('doctor')).text, /github_repo has no effect/);
      const twice = CONFIG.replace('name: sample', 'name: sample, github_repo: a/b');
      const { code, text } = await stage.project({ '.harness.yaml': `${twice}${github}` }).harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /github\.repo says the same as project\.github_repo/);
    },
  },
  {
    id: 'C18.3',
    asked: 'on_sync_failure: fail cannot be promised',
    command: 'harness run',
    seen: 'exit 2 with the reason; with sync_mode none it goes on',
    async show(stage) {
      const run = (github: string) =>
        stage.project({ '.harness.yaml': `${CONFIG}github: { ${github} }\n` }).harness('run');
      const refused = await run('on_sync_failure: fail');
      assert.equal(refused.code, 2, refused.text);
      assert.match(refused.text, /github\.on_sync_failure cannot be "fail"/);
      assert.equal((await run('sync_mode: none, on_sync_failure: fail')).code, 0);
    },
  },
  { id: 'C18.4', asked: 'a task without an issue gets one', later: 'GitHub' },
  { id: 'C18.5', asked: 'an issue is updated at the end of a session', later: 'GitHub' },
  {
    id: 'C18.6',
    asked: 'an issue is closed when its task is proven, opened again when it regresses',
    later: 'GitHub',
  },
  { id: 'C18.7', asked: 'the backlog wins where the two differ', later: 'GitHub' },
  {
    id: 'C18.8',
    asked: 'a GitHub that cannot be reached is a warning, and is made up for later',
    later: 'GitHub',
  },
];
