import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const DONE = 'TASK_COMPLETE';
const HANDOFF = readFileSync(join(process.cwd(), 'test', 'fixtures', 'coming-from', 'handoff.json'), 'utf8');
const make = (name: string, words: string): string =>
  `[{ edit: { file: src/${name}, content: x } }, { claim: "${words}" }]`;

/** A project whose agent plays these sessions for the loop, one after the other; the last repeats. */
const getProject = (stage: Stage, sessions: readonly string[], config = ''): SeedProject => {
  const project = stage.project({
    'agent.yaml': `tasks: { "*": { attempts: [${sessions.join(', ')}] } }\n`,
  });
  if (config) project.commit({ '.harness.yaml': project.read('.harness.yaml') + config });
  return project;
};

/** A session that leaves word in the file, and one that exists. */
const leave = (file: string): string => {
  const note = {
    phase: 'Phase 2 - Execution',
    completed: ['Setup Env'],
    next_step: 'Implement Feature X',
    critical_files: [file, 'not/there.md'],
    memory_notes: 'User prefers concise logs.',
  };
  const content = JSON.stringify(JSON.stringify(note));
  return `[{ edit: { file: ${file}, content: x } }, { edit: { file: state/handoff.json, content: ${content} } }, { claim: later }]`;
};

const readPromptOf = async (project: SeedProject, session: number): Promise<string> => {
  const { out } = await project.sh(`head -n 1 .harness/sessions/session-${session}-*.jsonl`);
  return String((JSON.parse(out) as { text: string }).text);
};

/** One objective, gone after in a fresh context each time until it is promised and proven. */
export const OBJECTIVE: readonly Row[] = [
  {
    id: 'B1.1',
    asked: 'an objective is gone after until the agent promises it, and it lands once the check says so too',
    command: 'harness loop "…" --check "test -f src/a"',
    seen: 'two iterations, landed, exit 0',
    async show(stage) {
      const project = getProject(stage, [make('b', 'not yet'), make('a', DONE)]);
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 0, text);
      assert.match(text, /reached in 2 iterations, landed as/);
      assert.match(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /src\/a/);
    },
  },
  {
    id: 'B1.2',
    asked: 'ten iterations and TASK_COMPLETE unless said otherwise',
    command: 'harness loop without further flags; the agent never promises',
    seen: 'the prompt asks for TASK_COMPLETE; stopped with "of 10"',
    async show(stage) {
      const project = getProject(stage, ['[{ claim: no }]']);
      const { text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.match(text, /of 10 iterations/);
      assert.match(await readPromptOf(project, 1), /alone on its line: TASK_COMPLETE/);
    },
  },
  {
    id: 'B1.3',
    asked: 'the promise can be any text',
    command: 'harness loop --completion-promise "ALL DONE"',
    seen: 'TASK_COMPLETE is no promise then, ALL DONE is',
    async show(stage) {
      const project = getProject(stage, [make('a', DONE), make('a', 'ALL DONE')]);
      const flags = ['--check', 'test -f src/a', '--completion-promise', 'ALL DONE'];
      const { code, text } = await project.harness('loop', 'File a exists', ...flags);
      assert.equal(code, 0, text);
      assert.match(text, /reached in 2 iterations/);
    },
  },
  {
    id: 'B1.4',
    asked: 'a loop without a check',
    command: 'harness loop "…", and again with --promise-only',
    seen: 'refused with the flag by name; with it landed, UNPROVEN in output, commit and status',
    async show(stage) {
      const project = getProject(stage, [make('a', DONE)]);
      const refused = await project.harness('loop', 'File a exists');
      assert.equal(refused.code, 2, refused.text);
      assert.match(refused.text, /--promise-only/);
      const { code, text } = await project.harness('loop', 'File a exists', '--promise-only');
      assert.equal(code, 0, text);
      assert.match(text, /reached in one iteration, landed as .*UNPROVEN/);
      assert.doesNotMatch(text, /harness inbox/);
      assert.match(project.git('log', '-1', '--format=%B'), /^Harness-Unproven: .*promise "TASK_COMPLETE"/m);
      assert.match((await project.harness('report')).text, /promise-only/);
    },
  },
  {
    id: 'B1.5',
    asked: 'the promise alone does not land what breaks something else',
    command: 'harness loop --promise-only; the agent breaks the suite',
    seen: 'not reached',
    async show(stage) {
      const project = getProject(stage, [`[{ delete: src/keep }, { claim: ${DONE} }]`]);
      project.commit({ 'test/all.sh': 'test -f src/keep\n', 'src/keep': 'x\n' });
      const flags = ['--promise-only', '--max-iterations', '2'];
      const { code, text } = await project.harness('loop', 'Tidy', ...flags);
      assert.notEqual(code, 0, text);
      assert.match(text, /not reached in 2 of 2/);
      assert.equal(project.git('show', 'HEAD:src/keep'), 'x');
    },
  },
  {
    id: 'B1.6',
    asked: 'a check that is green before any work proves nothing',
    command: 'harness loop "Write the whole product" --check true',
    seen: 'no session, a question, exit 7',
    async show(stage) {
      const project = getProject(stage, [make('a', DONE)]);
      const { code, text } = await project.harness('loop', 'Write the whole product', '--check', 'true');
      assert.equal(code, 7, text);
      assert.equal((await project.sh('ls .harness/sessions/*.jsonl')).out, '');
      assert.equal(project.git('rev-list', '--count', 'HEAD'), '1');
      assert.match((await project.harness('inbox')).text, /nothing is left to prove/);
    },
  },
  {
    id: 'B2.1',
    asked: 'each iteration begins afresh, with a prompt to go on from the files',
    command: 'harness loop; two iterations',
    seen: 'the second prompt says "You go on", why the first did not do, and which files lie there',
    async show(stage) {
      const project = getProject(stage, [make('b', 'not yet'), make('a', DONE)]);
      await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      const prompt = await readPromptOf(project, 2);
      assert.match(prompt, /^# You go on with a task/);
      assert.match(prompt, /do not promise "TASK_COMPLETE"/);
      assert.match(prompt, /- src\/b \(added/);
      assert.match(prompt, /File a exists/);
    },
  },
  {
    id: 'B3.1',
    asked: 'a loop survives a kill and is gone on with by its id',
    command: 'harness loop, kill -9, harness loop --resume loop-1 --max-iterations 3',
    seen: 'the same run, its files still there, landed',
    async show(stage) {
      const project = getProject(stage, ['[{ edit: { file: src/half, content: x } }, { hang: true }]']);
      const child = project.start(['loop', 'File a exists', '--check', 'test -f src/a']);
      for (let left = 400; left > 0 && !(await hasHalf(project)); left -= 1) await sleep(50);
      child.kill('SIGKILL');
      await once(child, 'exit');
      project.commit({ 'agent.yaml': `tasks: { "*": ${make('a', DONE)} }\n` });
      const flags = ['--resume', 'loop-1', '--max-iterations', '3'];
      const { code, text } = await project.harness('loop', ...flags);
      assert.equal(code, 0, text);
      assert.match(text, /loop-1: reached in one iteration/);
      assert.match(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /src\/half/);
    },
  },
  {
    id: 'B3.2',
    asked: '--resume --run-id <id> --max-iterations --completion-promise',
    command: 'harness loop --run-id 1f0e-77; then harness loop --resume --run-id 1f0e-77 …',
    seen: 'the id is kept, the new limit and promise hold, it lands',
    async show(stage) {
      const project = getProject(stage, [make('b', 'no'), make('a', 'DONE')]);
      const check = ['--check', 'test -f src/a', '--max-iterations', '1'];
      const first = await project.harness('loop', 'File a exists', '--run-id', '1f0e-77', ...check);
      assert.match(first.text, /1f0e-77: not reached in 1 of 1/);
      const again = ['--resume', '--run-id', '1f0e-77', '--max-iterations', '20'];
      const { code, text } = await project.harness('loop', ...again, '--completion-promise', 'DONE');
      assert.equal(code, 0, text);
      assert.match(text, /1f0e-77: reached in 2 iterations/);
    },
  },
  {
    id: 'B6.1',
    asked: 'the promise has to be exact',
    command: 'harness loop; TASK_COMPLETE in a sentence, in small letters, with a dot, then alone',
    seen: 'only the last one counts',
    async show(stage) {
      const words = [`I say ${DONE} now`, DONE.toLowerCase(), `${DONE}.`, `It is done.\\n${DONE}`];
      const project = getProject(
        stage,
        words.map((said, at) => make(at === 3 ? 'a' : `b${at}`, said)),
      );
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 0, text);
      assert.match(text, /reached in 4 iterations/);
    },
  },
  {
    id: 'B6.2',
    asked: '--max-iterations is a hard limit on what is paid for, turns without a word included',
    command: 'harness loop --max-iterations 2; the agent says nothing',
    seen: 'two sessions, and the reason why it stopped',
    async show(stage) {
      const project = getProject(stage, ['[{ burn: { cost_usd: 0.01 } }]']);
      const flags = ['--check', 'test -f src/a', '--max-iterations', '2'];
      const { text } = await project.harness('loop', 'File a exists', ...flags);
      assert.match(text, /not reached in 2 of 2 iterations: the turn ended without a message/);
      assert.match(text, /stopped: all 2 iterations are used up/);
      const { out } = await project.sh('ls .harness/sessions/*.jsonl | wc -l');
      assert.equal(out.trim(), '2');
    },
  },
  {
    id: 'B6.3',
    asked: 'the promise without what was promised is no success',
    command: 'harness loop --max-iterations 1; the agent promises and does nothing of it',
    seen: 'not landed, and the finding is told',
    async show(stage) {
      const project = getProject(stage, [make('b', DONE)]);
      const flags = ['--check', 'test -f src/a', '--max-iterations', '1'];
      const { code, text } = await project.harness('loop', 'File a exists', ...flags);
      assert.equal(code, 7, text);
      assert.match(text, /fail-to-pass/);
      assert.equal(project.git('rev-list', '--count', 'HEAD'), '1');
    },
  },
  {
    id: 'B6.4',
    asked: 'why a loop stopped is printed',
    command: 'harness loop whose sessions all end alike',
    seen: '"stopped: no progress"',
    async show(stage) {
      const project = getProject(stage, [make('b', DONE)]);
      const { text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.match(text, /^stopped: no progress/m);
    },
  },
  {
    id: 'B7.1',
    asked: 'dollars stop it, not iterations alone',
    command: 'harness loop with costs.total_project_usd: 5 and sessions of $2',
    seen: 'three sessions at most, exit 6, and a question',
    async show(stage) {
      const project = getProject(
        stage,
        ['[{ burn: { cost_usd: 2 } }, { edit: { file: src/b, append: x } }, { claim: no }]'],
        'costs: { per_session_usd: 4, per_feature_usd: 100, total_project_usd: 5 }\n',
      );
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 6, text);
      assert.match(text, /the budget is spent/);
      const { out } = await project.sh('ls .harness/sessions/*.jsonl | wc -l');
      assert.equal(out.trim(), '3');
      assert.match((await project.harness('inbox')).text, /budget/i);
    },
  },
  {
    id: 'B4.1',
    asked: 'what a person leaves in the inbox is told once and filed',
    command: 'harness drop notes.md; harness loop, two iterations',
    seen: 'both prompts have it, the inbox is empty, the file is among the processed ones',
    async show(stage) {
      const project = getProject(stage, [make('b', 'no'), make('a', DONE)]);
      project.write({ 'notes.md': 'The tax is 19 percent.\n' });
      await project.harness('drop', 'notes.md');
      await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.match(await readPromptOf(project, 1), /The tax is 19 percent/);
      const { out } = await project.sh('find .harness/inbox -type f');
      assert.match(out, /processed\/.*notes\.md/);
      assert.doesNotMatch(out, /inbox\/coding\/notes\.md/);
    },
  },
  {
    id: 'B4.2',
    asked: 'search_results/ of an agent becomes an overview for its next session',
    command: 'harness loop; the first session leaves search_results/db.json',
    seen: 'processed_json and research_overview.md under tasks/<id>, the overview in the next prompt, no raw JSON on main',
    async show(stage) {
      const json = JSON.stringify(
        JSON.stringify({
          results: [{ title: 'Postgres', url: 'https://a.example', snippet: 'rows and columns' }],
        }),
      );
      const search = `[{ edit: { file: search_results/db.json, content: ${json} } }, { edit: { file: src/b, content: x } }, { claim: no }]`;
      const project = getProject(stage, [search, make('a', DONE)]);
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 0, text);
      assert.match(await readPromptOf(project, 2), /- Postgres: https:\/\/a\.example: rows and columns/);
      const folder = '.harness/tasks/loop-1';
      assert.match(project.read(`${folder}/research_overview.md`), /## db\.json/);
      assert.ok(project.has(`${folder}/search_results/processed_json/db.json`));
      const landed = project.git('ls-tree', '-r', '--name-only', 'HEAD');
      assert.match(landed, /src\/b/);
      assert.doesNotMatch(landed, /search_results/);
    },
  },
  {
    id: 'B5.1',
    asked: 'state/handoff.json is read and put into the next prompt',
    command: 'harness loop; the first session leaves the file with its five fields',
    seen: 'phase, completed, next step, files that exist and notes; the file itself does not land',
    async show(stage) {
      const project = getProject(stage, [leave('src/config.py'), make('a', DONE)]);
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 0, text);
      const prompt = await readPromptOf(project, 2);
      for (const part of ['Phase 2', '- Setup Env', 'Implement Feature X', 'src/config.py', 'concise logs'])
        assert.ok(prompt.includes(part), part);
      assert.doesNotMatch(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /handoff/);
    },
  },
  {
    id: 'B5.2',
    asked: 'it holds until the agent says something else',
    command: 'harness loop; a silent second session, a third one',
    seen: 'the third prompt still has it',
    async show(stage) {
      const silent = '[{ edit: { file: src/c, content: x } }]';
      const project = getProject(stage, [leave('src/b'), silent, make('a', DONE)]);
      await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.match(await readPromptOf(project, 3), /Attempt 1 left word:[\s\S]*Implement Feature X/);
    },
  },
  {
    id: 'B5.3',
    asked: 'the printed handoff.json is taken to the letter, and shown again with its five fields',
    command: 'harness loop; the first session leaves that very file, and the files it names are there',
    seen: 'each of its texts in the next prompt and in .harness/handoff.json; nothing of it lands',
    async show(stage) {
      const left = `[{ edit: { file: state/handoff.json, content: ${JSON.stringify(HANDOFF)} } }, { claim: later }]`;
      const project = getProject(stage, [left, make('a', 'not yet'), make('a', DONE)]);
      project.commit({ 'tasks/01_research/overview.md': 'x\n', 'src/config.py': 'x = 1\n' });
      await project.harness('loop', 'File a exists', '--check', 'test -f src/a', '--max-iterations', '1');
      const { task: _, session, by, ...shown } = project.readJson('.harness/handoff.json');
      assert.deepEqual([shown, session, by], [JSON.parse(HANDOFF), 1, 'agent']);
      await project.harness('loop', '--resume', 'loop-1', '--max-iterations', '3');
      const prompt = await readPromptOf(project, 2);
      for (const text of Object.values(JSON.parse(HANDOFF) as Record<string, string | string[]>).flat())
        assert.ok(prompt.includes(text), text);
      assert.doesNotMatch(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /handoff/);
    },
  },
  {
    id: 'B7.2',
    asked: 'a cheap model sums up what a session did, for the next one',
    command:
      'harness loop with models.summariser: { provider: command, model: cheap }; the first session ends without the promise',
    seen: 'the program is started as summariser, its words are in the next prompt, its work lands nowhere',
    async show(stage) {
      const note =
        '{"phase":"half","completed":["b"],"next_step":"write a, says the summary","critical_files":[],"memory_notes":""}';
      const project = getProject(
        stage,
        [make('b', 'not yet'), make('a', DONE)],
        'models: { summariser: { provider: command, model: cheap } }\n',
      );
      project.commit({
        '.harness.yaml': project
          .read('.harness.yaml')
          .replace('script: agent.yaml', 'script: agent.yaml, command: ./sum.sh'),
        'sum.sh': `#!/bin/sh\n[ "$HARNESS_ROLE" = summariser ] || exit 1\necho x > stray.txt\necho '${note}'\n`,
      });
      const { code, text } = await project.harness('loop', 'File a exists', '--check', 'test -f src/a');
      assert.equal(code, 0, text);
      assert.match(await readPromptOf(project, 2), /write a, says the summary/);
      assert.doesNotMatch(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /stray/);
    },
  },
  {
    id: 'B7.3',
    asked: 'any program can be the cheap model, told through an interpreter too',
    command:
      'harness run with agent.command: sh agent.sh and models.summariser.model; its first session is cut off',
    seen: 'the program is started as summariser, its words are in the next prompt',
    async show(stage) {
      const note =
        '{"phase":"half","completed":[],"next_step":"write 1, says the summary","critical_files":[],"memory_notes":""}';
      const project = stage.project({
        '.harness.yaml': CONFIG.replace(
          'provider: scripted, script: agent.yaml',
          'provider: command, command: sh agent.sh, timeout_seconds: 2',
        ).concat('models: { summariser: { model: cheap } }\n'),
        'agent.sh': [
          `[ "$HARNESS_ROLE" = summariser ] && { echo '${note}'; exit 0; }`,
          'mkdir -p src',
          `[ "$HARNESS_ATTEMPT" = 1 ] && { echo '[FILE:WRITE] src/half'; echo x > src/half; sleep 9; }`,
          'echo x > src/1.txt\n',
        ].join('\n'),
      });
      await project.harness('run');
      const { text } = await project.harness('run');
      assert.match(text, /task 1 landed/);
      assert.match(await readPromptOf(project, 2), /write 1, says the summary/);
    },
  },
];

async function hasHalf(project: SeedProject): Promise<boolean> {
  return (await project.sh('grep -q src/half .harness/sessions/*.jsonl 2>/dev/null')).code === 0;
}
