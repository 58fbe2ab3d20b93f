import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

/** Asks for a key; goes on once it was answered. */
const ASKS = {
  'agent.yaml':
    'tasks: { "1": { attempts: [[{ ask: { question: "the key of the payment service", why: "every call needs it" } }], [{ edit: { file: src/1.txt, content: x } }, { claim: done }]] } }\n',
};

async function ask(stage: Stage) {
  const project = stage.project(ASKS);
  const ran = await project.harness('run');
  const { questions } = await project.json<{ questions: { id: string }[] }>('inbox');
  return { project, ran, id: questions[0]?.id ?? '' };
}

/** "I need X to continue". */
export const NEEDS: readonly Row[] = [
  {
    id: 'E18.1',
    asked: 'an agent that needs something pauses its task and says what',
    command: 'harness run; harness inbox',
    seen: 'exit 7, I need: the key',
    async show(stage) {
      const { project, ran } = await ask(stage);
      assert.equal(ran.code, 7, ran.text);
      assert.match((await project.harness('inbox')).text, /I need: +the key of the payment service/);
    },
  },
  {
    id: 'E18.2',
    asked: 'each question is a file of its own',
    command: 'harness run; ls .harness/questions',
    seen: '<id>.md: what, why, and the commands that answer it',
    async show(stage) {
      const { project, id } = await ask(stage);
      const text = project.read(`.harness/questions/${id}.md`);
      assert.match(text, /^# I need: /);
      assert.match(text, /the key of the payment service/);
      assert.match(text, /## Because\n\nevery call needs it/);
      assert.ok(text.includes(`harness answer ${id} `), text);
    },
  },
  {
    id: 'E18.3',
    asked: 'the answer reaches the agent, and the file goes',
    command: 'harness answer <id> --text "…"; harness run',
    seen: 'no file, the words in the next prompt, the task lands',
    async show(stage) {
      const { project, id } = await ask(stage);
      const answered = await project.harness('answer', id, '--text', 'it is in the vault');
      assert.equal(answered.code, 0, answered.text);
      assert.ok(!project.has(`.harness/questions/${id}.md`));
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal((await project.sh('grep -rq "it is in the vault" .harness/sessions')).code, 0);
    },
  },
];
