import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const PROGRAM = CONFIG.replace(
  'agent: { provider: scripted, script: agent.yaml }',
  'agent: { provider: command, command: sh agent.sh }',
);

function place(stage: Stage, tools: string, script: string) {
  return stage.project({
    '.harness.yaml': `${PROGRAM}tools: { ${tools} }\n`,
    'agent.sh': `mkdir -p src\n${script}\n`,
    'kept/word.txt': 'plain\n',
  });
}

const WORK = '{ edit: { file: src/1.txt, content: x } }';

/** What agents may touch and run. */
export const TOOLS: readonly Row[] = [
  {
    id: 'C29.1',
    asked: 'denied paths are out of sight of an agent',
    command: 'harness run with tools.filesystem.denied_paths: [kept/]',
    seen: 'the agent cannot read them; they stay as they are',
    async show(stage) {
      const project = place(
        stage,
        'filesystem: { denied_paths: [kept/] }',
        'cat kept/word.txt > src/1.txt 2>/dev/null || echo hidden > src/1.txt',
      );
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal(project.read('src/1.txt'), 'hidden\n');
      assert.equal(project.read('kept/word.txt'), 'plain\n');
    },
  },
  {
    id: 'C29.2',
    asked: 'a change in a denied path is refused, whatever the agent is',
    command: 'harness run',
    seen: 'rejected by the claim check, naming the file and the setting',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': `${CONFIG}tools: { filesystem: { denied_paths: [kept/] } }\n`,
        'kept/word.txt': 'plain\n',
        'agent.yaml': `tasks: { "*": [${WORK}, { edit: { file: kept/word.txt, content: x } }, { claim: done }] }\n`,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.match(text, /put kept\/word\.txt back: tools\.filesystem keeps agents from it/);
    },
  },
  {
    id: 'C29.3',
    asked: 'work outside the allowed paths is refused',
    command: 'harness run with tools.filesystem.allowed_paths: [lib/]',
    seen: 'rejected, naming src/1.txt; with [src/] it lands',
    async show(stage) {
      const run = (path: string) =>
        stage
          .project({ '.harness.yaml': `${CONFIG}tools: { filesystem: { allowed_paths: [${path}] } }\n` })
          .harness('run');
      const refused = await run('lib/');
      assert.equal(refused.code, 5, refused.text);
      assert.match(refused.text, /put src\/1\.txt back/);
      assert.equal((await run('src/')).code, 0);
    },
  },
  {
    id: 'C29.4',
    asked: 'denied paths are not left in sight where there is no sandbox',
    command: 'harness run with sandbox.mode: off',
    seen: 'refused with the field and the reason; no agent is started',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': `${CONFIG}sandbox: { mode: "off" }\ntools: { filesystem: { denied_paths: [kept/] } }\n`,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 1, text);
      assert.match(text, /denied_paths keeps kept from agents, which takes the sandbox/);
      assert.doesNotMatch(text, /attempt 1/);
    },
  },
  {
    id: 'C29.5',
    asked: 'a denied program cannot be started by any agent',
    command: 'harness run with tools.shell.denied_commands: [git]',
    seen: 'permission denied in the agent’s shell',
    async show(stage) {
      const project = place(
        stage,
        'shell: { denied_commands: [git] }',
        'git --version > src/1.txt 2>&1; echo "exit $?" >> src/1.txt',
      );
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(project.read('src/1.txt'), /exit 12[67]/);
      assert.doesNotMatch(project.read('src/1.txt'), /git version/);
    },
  },
  {
    id: 'C29.6',
    asked: 'shell.enabled: false is kept, or refused',
    command: 'harness run, scripted and by a program',
    seen: 'its command is not run; exit 2 for a program, which nobody can keep from it',
    async show(stage) {
      const scripted = stage.project({
        '.harness.yaml': `${CONFIG}tools: { shell: { enabled: false } }\n`,
        'agent.yaml': `tasks: { "*": [{ run: "touch ran" }, ${WORK}, { claim: done }] }\n`,
      });
      const { code, text } = await scripted.harness('run');
      assert.equal(code, 5, text);
      assert.match(text, /"touch ran" was not run: tools\.shell\.enabled is false/);
      const program = await place(stage, 'shell: { enabled: false }', 'true').harness('run');
      assert.equal(program.code, 2, program.text);
      assert.match(program.text, /tools\.shell\.enabled must be true for this agent/);
    },
  },
  {
    id: 'C29.7',
    asked: 'a command that takes too long is stopped',
    command: 'harness run with tools.shell.timeout_seconds: 1, scripted; by a program',
    seen: 'sleep 300 does not hold the session up; a program is told the limit',
    async show(stage) {
      const scripted = stage.project({
        '.harness.yaml': `${CONFIG}tools: { shell: { timeout_seconds: 1 } }\n`,
        'agent.yaml': `tasks: { "*": [{ run: "sleep 300" }, ${WORK}, { claim: done }] }\n`,
      });
      const { code, text } = await scripted.harness('run');
      assert.equal(code, 0, text);
      const program = place(
        stage,
        'shell: { timeout_seconds: 7 }',
        'echo "$HARNESS_SHELL_TIMEOUT_SECONDS" > src/1.txt',
      );
      assert.equal((await program.harness('run')).code, 0);
      assert.equal(program.read('src/1.txt'), '7\n');
    },
  },
  {
    id: 'C29.8',
    asked: 'paths that would not do what they say are refused: nothing allowed, or not of the project',
    command:
      'harness run with allowed_paths: [], [/srv/app], [../other], and denied_paths: [/srv/app/secrets]',
    seen: 'exit 2 with file, line, field and what to do; the seed’s own ../ is taken',
    async show(stage) {
      const run = (files: string) =>
        stage.project({ '.harness.yaml': `${CONFIG}tools: { filesystem: { ${files} } }\n` }).harness('run');
      for (const [files, why] of [
        ['allowed_paths: []', /allowed_paths is empty: .*\n.*Name the folders/],
        ['allowed_paths: [/srv/app]', /allowed_paths has \/srv\/app, which is not a path in the project/],
        ['allowed_paths: [../other]', /allowed_paths has \.\.\/other, which is not/],
        ['denied_paths: [/srv/app/secrets]', /denied_paths has \/srv\/app\/secrets, which is not/],
      ] as const) {
        const { code, text } = await run(files);
        assert.equal(code, 2, text);
        assert.match(text, why);
        assert.match(text, /\.harness\.yaml.*tools\.filesystem/);
      }
      const usual = await run('allowed_paths: ["."], denied_paths: [.harness/, .git/, ../]');
      assert.equal(usual.code, 0, usual.text);
    },
  },
];
