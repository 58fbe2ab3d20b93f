import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { answer, countSessions, done, expectCode, getAsked, getTask, small } from '../small-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

/** What the harness finds out itself when an agent says that it is done. */
export const VERIFICATION: readonly Row[] = [
  {
    id: 'C6.1',
    asked: 'an agent that claims more than one feature is refused',
    command: 'harness run with an agent that sets passes of two tasks',
    seen: 'rejected by claim, which names the other',
    async show(stage) {
      const mark = `{ run: "sed -i 's/\\"passes\\": false/\\"passes\\": true/' features.json" }, `;
      const project = await reject(
        stage,
        done(1, mark),
        'task 2 was marked as passing, but only task 1 was assigned',
      );
      assert.doesNotMatch(project.git('show', 'HEAD:features.json'), /"passes": true/);
    },
  },
  {
    id: 'C6.2',
    asked: 'the harness runs the test of the feature, not the agent',
    command: 'harness run with an agent that changes something else and claims',
    seen: 'rejected by fail-to-pass; the base is as it was',
    async show(stage) {
      await reject(stage, '[{ edit: { file: src/other.txt, content: x } }, { claim: done }]', 'fail-to-pass');
    },
  },
  {
    id: 'C6.3',
    asked: 'a test that passed before and fails now is a regression',
    command: 'harness run with an agent that breaks the suite',
    seen: 'rejected by pass-to-pass',
    async show(stage) {
      await reject(stage, done(1, '{ delete: src/old.txt }, '), 'pass-to-pass');
    },
  },
  {
    id: 'C6.4',
    asked: 'lint errors that came with it are warned of and flagged for the clean-up',
    command: 'harness run, harness report, harness health',
    seen: 'it lands, and the lint errors are told',
    async show(stage) {
      const lint = 'if test -f src/ugly.txt; then echo "src/ugly.txt:1:1: error: ugly"; exit 1; fi\n';
      const config = 'quality: { cleanup_interval: 5 }\n';
      const project = small(stage, {
        tasks: [{ id: 1 }],
        agent: { 1: done(1, '{ edit: { file: src/ugly.txt, content: x } }, ') },
        files: { 'lint.sh': lint },
        config,
      });
      project.commit({
        '.harness.yaml': project
          .read('.harness.yaml')
          .replace('testing:\n', 'testing:\n  sanity: { lint: sh lint.sh }\n'),
      });
      expectCode(await project.harness('run'), 0);
      assert.match((await project.harness('proof', '1')).out, /warned +lint/);
      assert.match((await project.harness('health')).out, /[Ll]int.*1/);
    },
  },
  {
    id: 'C6.5',
    asked: 'a claim without evidence of a test run is refused',
    command: 'harness run with verification.require_evidence and an agent that ran no test',
    seen: 'rejected by evidence; with a test run it lands',
    async show(stage) {
      const run = '{ run: "sh test/thing-2.sh" }, { claim: done }]';
      const project = small(stage, {
        tasks: [{ id: 1 }, { id: 2 }],
        agent: { 2: `${done(2).slice(0, -'{ claim: done }]'.length)}${run}` },
      });
      project.commit({
        '.harness.yaml': project
          .read('.harness.yaml')
          .replace('require_evidence: false', 'feedback_rounds: 0'),
      });
      assert.match((await project.harness('run', '--task', '1')).err, /rejected: evidence/);
      expectCode(await project.harness('run', '--task', '2'), 0);
    },
  },
  {
    id: 'C6.6',
    asked: 'what was refused is not on the base, and its flag stays false',
    command: 'harness run with an agent that lies',
    seen: 'no commit; harness verify 1 fails, too',
    async show(stage) {
      const project = await reject(stage, '[{ lie: done }]', 'rejected');
      expectCode(await project.harness('verify', '1'), 5);
    },
  },
  {
    id: 'C6.7',
    asked: 'a later feature cannot undo what an earlier one was proven by, suite or not',
    command: 'harness run with an agent for task 2 that deletes the file of task 1',
    seen: 'rejected by pass-to-pass, which names task 1',
    async show(stage) {
      const validated = [1, 2].map(id => ({
        id,
        test_file: undefined,
        validation: { command: `test -f src/${id}.txt` },
      }));
      const project = small(stage, {
        tasks: validated,
        agent: { 2: done(2, '{ run: "rm -f src/1.txt" }, ') },
      });
      expectCode(await project.harness('run'), 0);
      assert.match((await project.harness('run')).err, /pass-to-pass: one proof of landed/);
      assert.match(project.git('ls-tree', '--name-only', 'HEAD', 'src/'), /src\/1\.txt/);
    },
  },
  {
    id: 'C6.8',
    asked: 'what somebody else undoes is seen by the next look, and by an audit at the tip',
    command: 'git rm of the proven file, harness audit --rerun, harness run',
    seen: 'exit 5, open again; the next session repairs it',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }] });
      await project.harness('run');
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      const audited = await project.harness('audit', '--rerun');
      expectCode(audited, 5);
      assert.match(audited.out, /task 1 is open again/);
      expectCode(await project.harness('run', '--all'), 0);
      assert.ok(project.git('ls-tree', '--name-only', 'HEAD', 'src/').includes('src/1.txt'));
    },
  },
  {
    id: 'C6.9',
    asked: 'a check that succeeds before any work proves no work',
    command: 'harness loop "Write the whole product" --check true',
    seen: 'exit 7 and the question; no session is paid, nothing lands',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }] });
      const before = project.git('rev-parse', 'HEAD');
      expectCode(await project.harness('loop', 'Write the whole product', '--check', 'true'), 7);
      assert.equal(await countSessions(project), 0);
      assert.equal(project.git('rev-parse', 'HEAD'), before);
      await getAsked(project, 'satisfied', 'accept retry proceed skip abort');
    },
  },
  {
    id: 'C6.10',
    asked: 'a task whose validation the base satisfies already is accepted by a person, as unproven',
    command: 'harness run, harness answer 1 accept, harness run --all, harness status',
    seen: 'no session is paid; UNPROVEN by the word of Ada',
    async show(stage) {
      const there = { id: 1, test_file: undefined, validation: { command: 'test -f agent.yaml' } };
      const project = small(stage, { tasks: [there] });
      expectCode(await project.harness('run', '--all'), 7);
      await answer(project, '1', 'accept');
      expectCode(await project.harness('run', '--all'), 0);
      assert.equal(await countSessions(project), 0);
      assert.equal((await getTask(project, 1)).status, 'landed');
      assert.match(
        (await project.harness('status')).out,
        /UNPROVEN by the word of Ada: the base satisfies it/,
      );
    },
  },
  {
    id: 'C6.11',
    asked:
      'a feature that the base does already is found before an agent is paid, and accepted as proven by its tests',
    command:
      'harness run --all with a category and a test that is green from the start, harness answer 1 accept, harness run --all',
    seen: 'no session is paid; passes: true is set, by its own tests; a later break opens it again',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1, category: 'auth' }],
        files: { 'src/1.txt': 'x\n' },
      });
      expectCode(await project.harness('run', '--all'), 7);
      const { id } = await getAsked(project, 'satisfied', 'accept retry proceed skip abort');
      await answer(project, id, 'accept');
      expectCode(await project.harness('run', '--all'), 0);
      assert.equal(await countSessions(project), 0);
      assert.match(project.git('show', 'HEAD:features.json'), /"passes": true/);
      assert.match(
        (await project.harness('status')).out,
        /1: .*proven by its own tests alone, as accepted by Ada/,
      );
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      assert.match((await project.harness('run')).text, /task 1 is open again/);
    },
  },
  {
    id: 'C6.12',
    asked: 'what was accepted is held to its tests until it lands',
    command: 'harness answer 1 accept, git rm of what it was, harness run',
    seen: 'it does not count as done',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1, category: 'auth' }],
        files: { 'src/1.txt': 'x\n' },
      });
      await project.harness('run');
      await answer(project, '1', 'accept');
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      await project.harness('run', '--max-sessions', '1');
      assert.notEqual((await getTask(project, 1)).status, 'landed');
    },
  },
  {
    id: 'C6.13',
    asked: 'a refactoring, which tests are green before and after, is not asked about',
    command: 'harness run with category: refactoring, or none, and a test that is green from the start',
    seen: 'a session is paid at once',
    async show(stage) {
      for (const task of [{ id: 1, category: 'refactoring' }, { id: 1 }]) {
        const project = small(stage, { tasks: [task], files: { 'src/1.txt': 'x\n' } });
        await project.harness('run');
        assert.equal(await countSessions(project), 1);
      }
    },
  },
  {
    id: 'C6.14',
    asked: 'a feature that somebody did by hand is found before an agent is paid',
    command: 'harness run --task 2, the work of task 1 by hand, harness run',
    seen: 'its test was red and is green: no session for it, and a question',
    async show(stage) {
      const test = (id: number) =>
        `require('node:test')('thing ${id}', () => require('node:fs').statSync('src/${id}.txt'));\n`;
      const project = small(stage, {
        tasks: [1, 2].map(id => ({ id, test_file: `test/thing-${id}.test.js` })),
        files: {
          '.harness.yaml':
            'project: { name: sample }\ntesting: { runner: node, full: node --test }\nverification: { require_evidence: false }\nagent: { provider: scripted, script: agent.yaml }\n',
          'test/thing-1.test.js': test(1),
          'test/thing-2.test.js': test(2),
        },
      });
      expectCode(await project.harness('run', '--task', '2'), 0);
      project.commit({ 'src/1.txt': 'x\n' });
      const before = await countSessions(project);
      expectCode(await project.harness('run'), 7);
      assert.equal(await countSessions(project), before);
      await getAsked(project, 'satisfied', 'accept retry proceed skip abort');
    },
  },
  {
    id: 'C6.15',
    asked: 'an agent that finds nothing to change is not paid again',
    command: 'harness run --all with a test that is green from the start and an agent that changes nothing',
    seen: 'one attempt, then a question',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1 }],
        agent: { 1: '[{ claim: done }]' },
        files: { 'src/1.txt': 'x\n' },
      });
      expectCode(await project.harness('run', '--all'), 7);
      assert.doesNotMatch((await project.harness('log')).text, /attempt 3/);
      await getAsked(project, 'satisfied', 'accept retry proceed skip abort');
    },
  },
];

/** One attempt of two tasks, which ends so. */
async function reject(stage: Stage, play: string, why: string): Promise<SeedProject> {
  const project = small(stage, {
    tasks: [{ id: 1 }, { id: 2 }],
    agent: { 1: play },
    files: { 'src/old.txt': 'old\n', 'test/all.sh': 'test -f src/old.txt\n' },
    config: 'quality: { cleanup_interval: 0 }\n',
  });
  const before = project.git('rev-parse', 'HEAD');
  const { code, text } = await project.harness('run');
  assert.equal(code, 5, text);
  assert.ok(text.includes(why), `${why} is not in\n${text}`);
  assert.equal(project.git('rev-parse', 'HEAD'), before);
  return project;
}
