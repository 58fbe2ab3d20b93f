import assert from 'node:assert/strict';
import { getProgramProject, readTranscript } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const ANSWER =
  '{"summary":"One part.","tasks":[{"id":"9","title":"A exists","test_file":"test/a.sh","verification_steps":["a is there"],"files":["src/a"],"size":"small","priority":2,"depends_on":[]}]}';

/** The same agent as planner, reviewer and coder. */
const PROGRAM = `echo "$HARNESS_ROLE" >> "$HOME/roles"
case $HARNESS_ROLE in
planner) echo '${ANSWER}' ;;
*) mkdir -p src; echo x > src/1.txt; echo done ;;
esac`;

const missing = async (stage: Stage, provider: string): Promise<string> => {
  const project = stage.project();
  project.commit({
    '.harness.yaml': project
      .read('.harness.yaml')
      .replace('provider: scripted, script: agent.yaml', `provider: ${provider}`),
  });
  const { code, text } = await project.harness('doctor');
  assert.notEqual(code, 0, text);
  return text;
};

/** One way to run agents, whoever makes them. */
export const RUNNER: readonly Row[] = [
  {
    id: 'E1.1',
    asked: 'exec: an agent edits and runs in a worktree of its own',
    command: 'harness run',
    seen: 'its files land, its checkout is not the person’s',
    async show(stage) {
      const project = getProgramProject(stage, 'pwd; mkdir -p src; echo x > src/1.txt; echo done');
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const [where] = await readTranscript(project, 'text');
      assert.notEqual(where?.text, project.dir);
      assert.match(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /src\/1\.txt/);
    },
  },
  {
    id: 'E1.2',
    asked: 'complete: an agent answers once, in a form that is checked',
    command: 'harness plan --spec spec.md; once with an answer, once with words',
    seen: 'a plan; then exit 5 with what was wrong',
    async show(stage) {
      const config = `${CONFIG}agent: { provider: command, command: ./agent.sh }\n`;
      const project = stage.project({
        'agent.sh': `#!/bin/sh\n${PROGRAM}\n`,
        '.harness.yaml': config,
        'spec.md': '# A\nFile a exists.\n',
      });
      const planned = await project.harness('plan', '--spec', 'spec.md');
      assert.match(planned.text, /A exists/);
      project.commit({ 'agent.sh': '#!/bin/sh\necho I would rather not.\n' });
      const { code, text } = await project.harness('plan', '--spec', 'spec.md');
      assert.equal(code, 5, text);
    },
  },
  {
    id: 'E1.3',
    asked: 'the Claude SDK, found in the project, by its name and version where it is not',
    command: 'harness doctor with agent.provider: claude',
    seen: 'the package to install',
    async show(stage) {
      assert.match(await missing(stage, 'claude'), /@anthropic-ai\/claude-agent-sdk@\d/);
    },
  },
  {
    id: 'E1.4',
    asked: 'the Codex SDK likewise',
    command: 'harness doctor with agent.provider: codex',
    seen: 'the package to install',
    async show(stage) {
      assert.match(await missing(stage, 'codex'), /@openai\/codex-sdk@\d/);
    },
  },
];

const CONFIG = `project: { name: sample }
testing: { runner: command, full: sh test/all.sh, feature: "sh {file}" }
`;
