import assert from 'node:assert/strict';
import { getProgramProject, readActions } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';

const WORK = 'mkdir -p src; echo x > src/1.txt';

/** What an agent's output is read for. */
export const PREFIXES: readonly Row[] = [
  {
    id: 'C20.1',
    asked: 'files, commands and decisions on lines of output are read into the log of actions',
    command: 'harness run; a program prints [FILE:*], [CMD:*] and [DECISION]',
    seen: 'agent_actions.jsonl has file_read, file_write, file_delete, cmd_run, cmd_exit and decision',
    async show(stage) {
      const lines = [
        ...['[FILE:READ] a.ts', '[FILE:WRITE] src/1.txt', '[FILE:DELETE] b.ts', '[CMD:RUN] npm test'],
        ...['[CMD:OUTPUT]', 'all green', '[CMD:EXIT] 0', '[DECISION] PATCH instead of PUT'],
      ];
      const project = getProgramProject(stage, `${WORK}\n${lines.map(line => `echo '${line}'`).join('\n')}`);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const actions = readActions(project);
      assert.deepEqual(
        actions.slice(0, 6).map(({ type }) => type),
        ['file_read', 'file_write', 'file_delete', 'cmd_run', 'cmd_exit', 'decision'],
      );
      assert.match(project.read('.harness/logs/decisions.jsonl'), /PATCH instead of PUT/);
    },
  },
  {
    id: 'C20.2',
    asked: 'what it says of its own test runs and of what it saw is logged',
    command: 'harness run; a program prints [VERIFY:*] and [VISUAL:*]',
    seen: 'agent_actions.jsonl has verify_claim, visual_screenshot and visual_verify',
    async show(stage) {
      const lines = [
        ...['[VERIFY:START] Feature #1', '[VERIFY:FAIL] Feature #1', '[VERIFY:PASS] Feature #1'],
        ...['[VISUAL:SCREENSHOT] shots/after.png', '[VISUAL:VERIFY] the avatar is there'],
      ];
      const project = getProgramProject(stage, `${WORK}\n${lines.map(line => `echo '${line}'`).join('\n')}`);
      await project.harness('run');
      const actions = readActions(project).map(({ type, what = '', text = '' }) => `${type} ${what} ${text}`);
      assert.deepEqual(actions.slice(0, 5), [
        'verify_claim start Feature #1',
        'verify_claim fail Feature #1',
        'verify_claim pass Feature #1',
        'visual_screenshot  shots/after.png',
        'visual_verify  the avatar is there',
      ]);
    },
  },
  {
    id: 'C20.3',
    asked: 'no such line, and no line of a test report, is told as what was done',
    command: 'harness run; the program ends with [VISUAL:VERIFY] and a TAP report',
    seen: 'the progress notes have its last word instead',
    async show(stage) {
      const script = `${WORK}; echo "Thing 1 is in its own file."
printf '%s\\n' 'ok 1 - thing' '# duration_ms 226.8' '[VERIFY:PASS] #1' '[VISUAL:VERIFY] all blue'`;
      const project = getProgramProject(stage, script, { 'claude-progress.txt': 'Progress\n' });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const notes = project.git('show', 'HEAD:claude-progress.txt');
      assert.match(notes, /WHAT I DID:\n- Thing 1 is in its own file\./);
      assert.doesNotMatch(notes, /duration_ms|all blue|VERIFY:PASS/);
    },
  },
  {
    id: 'C20.4',
    asked: 'a claim in its own output proves nothing',
    command: 'harness run; a program prints [VERIFY:PASS] and does nothing',
    seen: 'not landed, exit 5',
    async show(stage) {
      const project = getProgramProject(stage, `echo '[VERIFY:PASS] Feature #1'`);
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.equal(project.git('rev-list', '--count', 'HEAD'), '1');
    },
  },
  {
    id: 'C20.5',
    asked: 'without prefixes a session works, and that they are missing is noted',
    command: 'harness run; a program that prints plain words',
    seen: 'landed; the log of actions has advice about prefixes, and none with warn_on_missing_prefixes: false',
    async show(stage) {
      const noted = async (config: string): Promise<boolean> => {
        const project = getProgramProject(stage, `${WORK}; echo done`, { config });
        const { code, text } = await project.harness('run');
        assert.equal(code, 0, text);
        return readActions(project).some(({ type, rule }) => type === 'advice' && rule === 'prefixes');
      };
      assert.equal(await noted(''), true);
      assert.equal(await noted('logging: { warn_on_missing_prefixes: false }\n'), false);
    },
  },
  {
    id: 'C20.6',
    asked: 'prefixes can be required',
    command: 'harness run with logging.require_prefixes: true; plain words',
    seen: 'no claim, exit 5, and the setting is named',
    async show(stage) {
      const config = 'logging: { require_prefixes: true }\n';
      const project = getProgramProject(stage, `${WORK}; echo done`, { config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.match(text, /logging\.require_prefixes/);
    },
  },
];
