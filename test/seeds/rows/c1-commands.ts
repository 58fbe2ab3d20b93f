import assert from 'node:assert/strict';
import { getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const CLEANS = `tasks:
  "cleanup-1": [{ run: "rm src/dea*" }, { claim: tidier }]
  "*": [{ edit: { file: src/1.txt, content: x } }, { claim: done }]
`;

/** Commands for looking, controlling and setting up. */
export const COMMANDS_C: readonly Row[] = [
  {
    id: 'C1.30',
    asked:
      'status: counts, next task with its prompt, session count, last session, stuck, costs, baseline, health',
    command: 'harness run, harness status',
    seen: 'a line for each; the last session has landed',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      const { out } = await project.harness('status');
      for (const line of [
        /^Tasks: +1\/3 landed \(33%\), 2 pending$/m,
        /^Next: +task 2: Thing 2 exists \(coding prompt\)$/m,
        /^Sessions: +1$/m,
        /^Last session: 1 on task 1: landed/m,
        /^Stuck count: +0$/m,
        /^Costs: +\$/m,
        /^Baseline: +\d+ pass/m,
        /^Health: /m,
      ])
        assert.match(out, line);
    },
  },
  {
    id: 'C1.31',
    asked: 'status shows the last five lines of the log',
    command: 'harness run, harness status',
    seen: 'the very lines of harness-progress.txt',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      const last = project.log().trimEnd().split('\n').slice(-5);
      const { out } = await project.harness('status');
      for (const line of last) assert.ok(out.includes(line), `${line} is not in\n${out}`);
      assert.deepEqual((await project.json<{ log: string[] }>('status')).log, last);
    },
  },
  {
    id: 'C1.32',
    asked: 'status names the prompt of work that was cut off',
    command: 'harness run with an agent that crashes, harness status',
    seen: 'the continuation prompt',
    async show(stage) {
      const project = stage.project({
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/half.txt, content: x } }, { crash: "gone" }] }\n',
      });
      const ran = await project.harness('run');
      const { out } = await project.harness('status');
      assert.match(out, /^Next: +task 1: .* \(continuation prompt\)$/m, ran.text);
    },
  },
  {
    id: 'C1.33',
    asked: 'what waits for a task that needs a person is blocked, in status as in STATS',
    command: 'harness skip 1, harness status',
    seen: '[blocked] for the ones behind it, and the same count in both',
    async show(stage) {
      const project = stage.project();
      await project.harness('skip', '1', '--reason', 'later');
      await project.harness('run', '--all');
      const { out } = await project.harness('status');
      assert.match(out, /^ +\[blocked\] 2: /m);
      assert.match(out, /^Tasks: +0\/3 landed \(0%\), 3 blocked$/m);
      assert.match(project.log(), /STATS .*pending=0 blocked=3/);
    },
  },
  {
    id: 'C1.34',
    asked: 'log query "text"',
    command: 'harness log query "proven"',
    seen: 'the lines that say it, and no others; exit 0',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      const { code, out } = await project.harness('log', 'query', 'PROVEN');
      assert.equal(code, 0);
      assert.match(out, /verdict\.given/);
      assert.doesNotMatch(out, /attempt\.started/);
      const none = await project.harness('log', 'query', 'no such words');
      assert.match(none.err, /Nothing recorded matches/);
    },
  },
  {
    id: 'C1.35',
    asked: 'resume names what goes on',
    command: 'harness pause, harness resume',
    seen: 'the task that is next, by its title',
    async show(stage) {
      const project = stage.project();
      await project.harness('status');
      await project.harness('pause');
      const { out } = await project.harness('resume');
      assert.match(out, /the next is task 1: Thing 1 exists/);
    },
  },
  {
    id: 'C1.36',
    asked: 'pause holds a new run',
    command: 'harness pause, harness run, harness resume, harness run',
    seen: 'exit 7 and no session; then the task lands',
    async show(stage) {
      const project = stage.project();
      await project.harness('pause');
      assert.equal((await project.harness('run')).code, 7);
      assert.equal((await project.json<{ sessions: number }>('status')).sessions, 0);
      await project.harness('resume');
      assert.equal((await project.harness('run')).code, 0);
    },
  },
  {
    id: 'C1.37',
    asked: 'cleanup runs one now',
    command: 'harness cleanup',
    seen: 'a proven clean-up lands, with the backlog as it was',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': CLEANS, 'src/dead.txt': 'dead\n' });
      const before = project.read('features.json');
      const { code, text } = await project.harness('cleanup');
      assert.equal(code, 0, text);
      assert.match(text, /cleanup-1 landed/);
      assert.deepEqual([project.has('src/dead.txt'), project.read('features.json')], [false, before]);
    },
  },
  {
    id: 'C1.38',
    asked: 'cleanup can wait for the next session',
    command: 'harness cleanup --later, harness run',
    seen: 'nothing is started; the next session cleans up',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': CLEANS, 'src/dead.txt': 'dead\n' });
      assert.match((await project.harness('cleanup', '--later')).out, /the next session cleans up/);
      assert.ok(project.has('src/dead.txt'));
      assert.match((await project.harness('run')).text, /cleanup-1 landed/);
    },
  },
  {
    id: 'C1.39',
    asked: 'run --dry-run shows what would happen and changes nothing',
    command: 'harness run --dry-run',
    seen: 'the prompt type, the task, the test file, the whole prompt; no session',
    async show(stage) {
      const project = stage.project();
      const { code, out } = await project.harness('run', '--dry-run');
      assert.equal(code, 0);
      for (const part of [/Prompt type: coding/, /task 1/, /test\/thing-1\.sh/, /No changes made/])
        assert.match(out, part);
      assert.equal((await project.json<{ sessions: number }>('status')).sessions, 0);
    },
  },
  {
    id: 'C1.40',
    asked: 'run works on one task',
    command: 'harness run',
    seen: 'one landing of three tasks, exit 0',
    async show(stage) {
      const project = stage.project();
      assert.equal((await project.harness('run')).code, 0);
      assert.equal((await project.json<{ counts: { landed: number } }>('status')).counts.landed, 1);
    },
  },
  {
    id: 'C1.41',
    asked: 'verify proves a landed task again',
    command: 'harness verify 1',
    seen: 'every check, exit 0; exit 5 for one that has not landed',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      const { code, text } = await project.harness('verify', '1');
      assert.equal(code, 0, text);
      for (const check of ['fail-to-pass', 'pass-to-pass', 'protected'])
        assert.ok(text.includes(check), check);
      assert.equal((await project.harness('verify', '2')).code, 5);
    },
  },
  {
    id: 'C1.42',
    asked: 'health',
    command: 'harness health',
    seen: 'a score from 0 to 100 and its word',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.match((await project.harness('health')).out, /(GOOD|FAIR|POOR)/);
    },
  },
  {
    id: 'C1.43',
    asked: 'stop ends every run after its attempt',
    command: 'harness stop beside nothing',
    seen: 'exit 0, and that nothing is running',
    async show(stage) {
      const { code, out } = await stage.project().harness('stop');
      assert.equal(code, 0);
      assert.match(out, /nothing is running/);
    },
  },
  {
    id: 'C1.44',
    asked: 'abort clears nothing unless told, and keeps a copy then',
    command: 'harness abort, harness abort --clear, harness abort --clear --yes',
    seen: 'the records stay; exit 2 without a yes; then they are in backups',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.equal((await project.harness('abort')).code, 0);
      assert.equal((await project.json<{ sessions: number }>('status')).sessions, 1);
      assert.equal((await project.harness('abort', '--clear')).code, 2);
      const cleared = await project.json<{ cleared: boolean; backup: string }>('abort', '--clear', '--yes');
      assert.equal(cleared.cleared, true);
      assert.match((await project.sh('ls .harness/backups')).out, /^aborted-/);
      assert.match(project.git('log', '--format=%s'), /Thing 1/);
    },
  },
  {
    id: 'C1.45',
    asked: 'version and migrate',
    command: 'harness version, harness migrate, harness migrate --no-backup',
    seen: 'version and schema; nothing to migrate; exit 0',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.match((await project.harness('version')).out, /\d+\.\d+\.\d+/);
      for (const flags of [[], ['--no-backup']]) {
        const { code, text } = await project.harness('migrate', ...flags);
        assert.equal(code, 0, text);
      }
    },
  },
  {
    id: 'C1.46',
    asked: 'add-feature turns a wish into one task',
    command: 'harness add-feature "…" --yes',
    seen: 'one more task with a test file, as one commit',
    async show(stage) {
      const project = stage.project({
        'features.json': getBacklog([]),
        'agent.yaml': `planner:
  - answer:
      summary: One more.
      tasks: [{ id: "1", title: Nine is there, depends_on: [], test_file: test/nine.sh, files: [src/9.txt], size: small, verification_steps: [It is there, It says 9, It stays] }]
`,
      });
      const { code, text } = await project.harness('add-feature', 'nine', '--yes');
      assert.equal(code, 0, text);
      assert.match(project.git('show', 'HEAD:features.json'), /"test_file": "test\/nine\.sh"/);
    },
  },
  {
    id: 'C1.47',
    asked: 'init --spec makes a project of a document',
    command: 'harness init --spec design.md --yes, in an empty folder',
    seen: 'one commit with configuration, backlog, scripts and notes',
    async show(stage) {
      const project = stage.folder({
        'design.md': '# Nine\n',
        'harness-agent.yaml': `planner:
  - answer:
      summary: One thing.
      language: node
      tasks: [{ id: "1", title: Nine is there, depends_on: [], test_file: test/nine.test.js, files: [src/9.js], size: small, verification_steps: [It is there, It says 9, It stays] }]
`,
      });
      const { code, text } = await project.harness('init', '--spec', 'design.md', '--yes');
      assert.equal(code, 0, text);
      const files = project.git('ls-files').split('\n');
      for (const file of ['.harness.yaml', 'features.json', 'init.sh', 'reset.sh', 'claude-progress.txt'])
        assert.ok(files.includes(file), file);
    },
  },
  {
    id: 'C1.52',
    asked: 'verify of a task that an agent failed and a person did',
    command: 'harness run, handoff, git commit, takeback, harness verify 1',
    seen: 'its tests at the tip, not the work that was rejected',
    async show(stage) {
      const wrong = 'tasks:\n  "*": [{ edit: { file: src/wrong.txt, content: x } }, { claim: done }]\n';
      const project = stage.project({ 'agent.yaml': wrong });
      await project.harness('run');
      await project.harness('handoff');
      project.commit({ 'src/1.txt': 'by hand\n' }, 'Do thing 1 by hand');
      const { out } = await project.harness('takeback', '--by', 'Ada');
      assert.match(out, /task 1: proven by its tests/);
      const { code, text } = await project.harness('verify', '1');
      assert.equal(code, 0, text);
      assert.match(text, /running its tests on/);
      assert.doesNotMatch((await project.harness('status')).out, /UNPROVEN/);
      assert.doesNotMatch((await project.harness('audit')).text, /unproven/);
      assert.doesNotMatch((await project.harness('report')).text, /never proven/);
    },
  },
  {
    id: 'C1.48',
    asked: 'handoff of the whole project, work on main, takeback',
    command: 'harness handoff, git commit, harness takeback',
    seen: 'the commits; the task is proven by its tests and marked; the others stay open; runs go on',
    async show(stage) {
      const project = stage.project();
      assert.match((await project.harness('handoff')).out, /paused: all tasks are yours/);
      assert.equal((await project.harness('run')).code, 7);
      project.commit({ 'src/1.txt': 'by hand\n' }, 'Do thing 1 by hand');
      const { code, out, text } = await project.harness('takeback', '--by', 'Ada');
      assert.equal(code, 0, text);
      assert.match(out, /Ada committed:\n +[0-9a-f]+ Do thing 1 by hand/);
      assert.match(out, /task 1: proven by its tests/);
      assert.match(out, /task 2: open \(/);
      assert.match(
        project.git('show', 'HEAD:features.json'),
        /"test_file": "test\/thing-1\.sh",\s+"passes": true/,
      );
      const { out: status } = await project.harness('status');
      assert.match(status, /\[landed\] +1: Thing 1 exists/);
      assert.doesNotMatch(status, /UNPROVEN/);
      assert.match((await project.harness('run')).text, /task 2 landed/);
      assert.match(project.log(), /Completed \[1\] \(commit [0-9a-f]{7}\) by Ada/);
    },
  },
  {
    id: 'C1.49',
    asked: 'work by hand that breaks something is not marked',
    command: 'harness handoff, a commit that does 1 and breaks a test, harness takeback',
    seen: 'exit 5, the task open with the reason; runs go on',
    async show(stage) {
      const project = stage.project({ 'test/all.sh': 'test -f keep.txt\n', 'keep.txt': 'x\n' });
      await project.harness('handoff');
      project.git('rm', '-q', 'keep.txt');
      project.commit({ 'src/1.txt': 'by hand\n' });
      const { code, text } = await project.harness('takeback');
      assert.equal(code, 5, text);
      assert.match(text, /task 1: open \(1 tests? got worse\)/);
      assert.equal((await project.json<{ control: { mode: string } }>('status')).control.mode, 'running');
    },
  },
  {
    id: 'C1.50',
    asked: 'takeback without any work',
    command: 'harness handoff, harness takeback; harness takeback again',
    seen: 'that nothing was committed, exit 0; then exit 2: nothing is handed off',
    async show(stage) {
      const project = stage.project();
      await project.harness('handoff');
      const { code, out } = await project.harness('takeback');
      assert.equal(code, 0);
      assert.match(out, /nothing was committed meanwhile/);
      assert.equal((await project.harness('takeback')).code, 2);
    },
  },
  {
    id: 'C1.51',
    asked: 'handoff of the whole project says how it is given back, also once runs went on',
    command: 'harness handoff; status; resume; run; takeback',
    seen: 'harness takeback as the next step; a note that it is still to come; only what people committed is theirs',
    async show(stage) {
      const project = stage.project();
      assert.match((await project.harness('handoff')).out, /next: harness takeback /);
      assert.equal((await project.json('handoff')).next, 'harness takeback');
      assert.match((await project.harness('status')).out, /next: harness takeback$/m);
      project.commit({ 'note.txt': 'mine\n' }, 'A note of mine');
      assert.match((await project.harness('resume')).text, /not judged yet: harness takeback/);
      assert.match((await project.harness('run')).text, /task 1 landed/);
      const { out } = await project.harness('takeback', '--by', 'Ada');
      assert.match(out, /Ada committed:\n +[0-9a-f]+ A note of mine\n(?! {2}[0-9a-f])/);
      assert.doesNotMatch((await project.harness('resume')).text, /takeback/);
    },
  },
];
