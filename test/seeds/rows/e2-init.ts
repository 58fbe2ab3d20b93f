import assert from 'node:assert/strict';
import { getSampleFiles } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { getLoopFile, getLoopTask } from '../loop-project.ts';
import { ACTIVE, COMPLETED, getPlan } from '../plans-project.ts';
import type { Stage } from '../stage.ts';

const INIT = ['init', '--no-run', '--agent', 'command', '--command', 'sh agent.sh'] as const;
const AGENT = { 'agent.sh': 'mkdir -p src; echo x > src/0001.txt\n', 'package.json': '{ "name": "p" }\n' };
const CONFIG = `${JSON.stringify({ agent: { provider: 'claude' }, testing: { full: 'true' } })}\n`;
const OLD = { [`${COMPLETED}/0000-old.md`]: getPlan('0000', { status: 'completed' }), 'src/0000.txt': 'x' };
const FIRST = `${ACTIVE}/0001-first.md`;

/** Plans of which one has landed, and no configuration. */
function makePlans(stage: Stage) {
  return stage.repository({ ...AGENT, ...OLD, [FIRST]: getPlan('0001', { depends_on: ['0000'] }) });
}

/** What `init` does in the repositories that people come with. */
export const INIT_ROWS: readonly Row[] = [
  {
    id: 'E4.18',
    asked: 'init takes up the folder of completed plans',
    command: 'harness init beside docs/exec-plans/active and completed; status; run',
    seen: 'a plan that depends on a completed one lands, and lies in completed',
    async show(stage) {
      const project = makePlans(stage);
      const { code, text } = await project.harness(...INIT);
      assert.equal(code, 0, text);
      assert.match(text, /took up docs\/exec-plans\/completed: where plans go/);
      project.write({
        '.harness.yaml': `${project.read('.harness.yaml').replace(/^# testing:\n.*\n/m, '')}testing: { runner: command, full: "true" }\n`,
      });
      project.git('add', '-A');
      project.git('commit', '-q', '-m', 'Set up Harness');
      assert.match((await project.harness('status')).text, /1\/2 landed/);
      const run = await project.harness('run');
      assert.equal(run.code, 0, run.text);
      assert.ok(project.has(`${COMPLETED}/0001-first.md`));
    },
  },
  {
    id: 'E4.22',
    asked: 'init knows where landed plans go before the first has landed',
    command: 'harness init beside docs/exec-plans/active alone; run',
    seen: 'docs/exec-plans/completed, where the first plan lies once it has landed',
    async show(stage) {
      const project = stage.repository({ ...AGENT, [FIRST]: getPlan('0001') });
      const { text } = await project.harness(...INIT);
      assert.match(text, /^docs\/exec-plans\/completed: where plans go that have landed$/m);
      project.git('add', '-A');
      project.git('commit', '-q', '-m', 'Set up Harness');
      const run = await project.harness('run');
      assert.equal(run.code, 0, run.text);
      assert.ok(project.has(`${COMPLETED}/0001-first.md`));
      assert.equal(project.has(FIRST), false);
    },
  },
  {
    id: 'E4.19',
    asked: 'completed_dir holds where paths.features names the folder',
    command: 'harness status',
    seen: '1/2 landed',
    async show(stage) {
      const project = makePlans(stage);
      project.commit({
        '.harness.yaml': `project: { name: p }\npaths: { features: ${ACTIVE} }\nplan: { completed_dir: ${COMPLETED} }\nagent: { command: sh agent.sh }\n`,
      });
      const { code, text } = await project.harness('status');
      assert.equal(code, 0, text);
      assert.match(text, /1\/2 landed/);
    },
  },
  {
    id: 'E4.20',
    asked: 'a folder of completed plans that no setting names is said',
    command: 'harness init beside a configuration',
    seen: 'set plan.completed_dir',
    async show(stage) {
      const project = makePlans(stage);
      project.commit({ '.harness.yaml': `project: { name: p }\npaths: { features: ${ACTIVE} }\n` });
      const { text } = await project.harness('init', '--no-run');
      assert.match(text, /completed is not used: set plan\.completed_dir in \.harness\.yaml/);
      assert.match(text, /0001\.depends_on names 0000, but no plan has that id/);
    },
  },
  {
    id: 'D10.20',
    asked: 'init says what is wrong with the tasks that it takes up',
    command: 'harness init beside tasks.json',
    seen: 'the unknown dependency, and harness validate as the next step',
    async show(stage) {
      const tasks = getLoopFile([getLoopTask('eng-1', { dependencies: ['nope'] })]);
      const project = stage.repository({ ...AGENT, 'tasks.json': tasks });
      const { text } = await project.harness(...INIT);
      assert.match(text, /took up tasks\.json/);
      assert.match(text, /tasks\.json: .*nope/);
      assert.match(text, /Next:[\s\S]*harness validate/);
    },
  },
  {
    id: 'E2.15',
    asked: 'init beside a configuration says which flags have no effect, and what to write',
    command: 'harness init --agent command --command "sh agent.sh" beside harness.config.json',
    seen: 'both named, with the lines of the file; silent where the file says the same',
    async show(stage) {
      const project = stage.repository({ ...AGENT, 'harness.config.json': CONFIG });
      const { code, out } = await project.harness(...INIT);
      assert.equal(code, 0, out);
      assert.match(out, /--agent command --command has no effect, since harness\.config\.json is there/);
      assert.ok(out.includes('"agent": { "provider": "command", "command": "sh agent.sh" }'), out);
      assert.doesNotMatch((await project.harness('init', '--agent', 'claude')).out, /no effect/);
    },
  },
  {
    id: 'E2.16',
    asked: 'init prints no commit that has nothing in it',
    command: 'harness init where everything is in git',
    seen: 'no git add among the next steps; there is one again once the backlog is edited',
    async show(stage) {
      const files = { ...getSampleFiles(), 'harness-init.sh': '#!/bin/sh\n' };
      const project = stage.repository(files);
      assert.doesNotMatch((await project.harness('init')).out, /git add/);
      project.write({ 'features.json': project.read('features.json').replace('Thing 1', 'Thing one') });
      assert.match((await project.harness('init')).out, /git add .*features\.json.* && git commit/);
    },
  },
  {
    id: 'D6.30',
    asked: 'files of other harnesses that nothing reads are named by init',
    command: 'harness init beside .harness/config.json, progress.md, harness-progress.txt, .harness-active',
    seen: 'each is not used, and what has its part',
    async show(stage) {
      const left = ['.harness/config.json', 'progress.md', 'harness-progress.txt', '.harness-active'];
      const project = stage.repository(Object.fromEntries(left.map(path => [path, '{}\n'])));
      const { out } = await project.harness('init', '--no-run');
      for (const path of left) assert.ok(out.includes(`${path} is not used: `), out);
    },
  },
  {
    id: 'A1.30',
    asked: 'init of a folder that there is not names the folder',
    command: 'harness init nonexist',
    seen: 'exit 2, and no word of a flag that nobody typed',
    async show(stage) {
      const { code, text } = await stage.project().harness('init', 'nonexist');
      assert.equal(code, 2, text);
      assert.match(text, /path: .*nonexist is not a folder/);
      assert.doesNotMatch(text, /--repo/);
    },
  },
];
