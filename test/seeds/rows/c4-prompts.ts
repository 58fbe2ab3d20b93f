import assert from 'node:assert/strict';
import { getBacklog } from '../../support/sample-project.ts';
import { readTranscript } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const readPrompt = async (project: SeedProject): Promise<string> => {
  const { code, text } = await project.harness('run', '--dry-run');
  assert.equal(code, 0, text);
  return text.replaceAll(/^ {2}│ ?/gm, '');
};

const getProject = (stage: Stage, feature: Record<string, unknown>): SeedProject =>
  stage.project({
    'features.json': getBacklog([
      { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false, ...feature },
    ]),
  });

/** What agents are asked and told. */
export const PROMPTS: readonly Row[] = [
  {
    id: 'C4.1',
    asked: 'whoever begins a task gets the coding prompt',
    command: 'harness run --dry-run',
    seen: 'one task, what is protected, tests after the last change, a word is no proof',
    async show(stage) {
      const prompt = await readPrompt(stage.project());
      assert.match(prompt, /# You are a coder in project sample/);
      assert.match(prompt, /Do only this task/);
      assert.match(prompt, /are protected/);
      assert.match(prompt, /Run the tests after your last change/);
      assert.match(prompt, /Your word starts the check and decides nothing/);
    },
  },
  {
    id: 'C4.2',
    asked: 'whoever goes on gets the continuation prompt',
    command: 'harness run twice; the first session leaves a file and a note',
    seen: 'what was done, what is left, the unfinished file, "do not start again"',
    async show(stage) {
      const note =
        '{"phase":"half","completed":["the form"],"next_step":"send the mail","critical_files":[],"memory_notes":""}';
      const project = stage.project({
        'agent.yaml': `tasks: { "1": [{ edit: { file: half.txt, content: x } }, { edit: { file: state/handoff.json, content: '${note}' } }, { give_up: later }] }\n`,
      });
      await project.harness('run');
      const prompt = await readPrompt(project);
      assert.match(prompt, /# You go on with a task/);
      assert.match(prompt, /- the form/);
      assert.match(prompt, /send the mail/);
    },
  },
  {
    id: 'C4.3',
    asked: 'the prompt asks for the prefixes of agent output',
    command: 'harness run --dry-run',
    seen: '[FILE:*], [CMD:*], [VERIFY:*], [VISUAL:*] and [DECISION]',
    async show(stage) {
      const prompt = await readPrompt(stage.project());
      const prefixes = [
        'FILE:READ',
        'FILE:WRITE',
        'CMD:RUN',
        'CMD:EXIT',
        'VERIFY:START',
        'VERIFY:PASS',
        'VERIFY:FAIL',
      ];
      for (const prefix of [...prefixes, 'VISUAL:SCREENSHOT', 'VISUAL:VERIFY', 'DECISION'])
        assert.ok(prompt.includes(`[${prefix}]`), prefix);
    },
  },
  {
    id: 'C4.4',
    asked: 'automated and manual checks of a hybrid task are in the prompt',
    command: 'harness run --dry-run',
    seen: 'each of them, by who looks at it',
    async show(stage) {
      const prompt = await readPrompt(
        getProject(stage, {
          verification_type: 'hybrid',
          automated_checks: ['the page loads without errors'],
          manual_checks: ['the layout matches the mockup'],
        }),
      );
      assert.match(prompt, /Done means:\n- the page loads without errors/);
      assert.match(prompt, /A person will look at:\n- the layout matches the mockup/);
    },
  },
  {
    id: 'C4.5',
    asked: 'the steps of a visual verification are in the prompt',
    command: 'harness run --dry-run',
    seen: 'each of them',
    async show(stage) {
      const steps = ['Navigate to /profile/settings', 'Verify avatar visible in header'];
      const prompt = await readPrompt(getProject(stage, { visual_verification: { enabled: true, steps } }));
      assert.match(
        prompt,
        /To be seen on the page:\n- Navigate to \/profile\/settings\n- Verify avatar visible/,
      );
    },
  },
  {
    id: 'C4.6',
    asked: 'the clean-up prompt: long files, lint, dead code, comments, docstrings, nothing new',
    command: 'harness cleanup',
    seen: 'the prompt of its session says so',
    async show(stage) {
      const project = stage.project();
      await project.harness('cleanup');
      const [{ text = '' } = {}] = await readTranscript(project, 'prompt');
      assert.match(text, /You tidy up/);
      for (const part of [/grown beyond/, /linter/, /nothing uses/, /comments/, /docstrings/, /adds nothing/])
        assert.match(text, part);
    },
  },
  {
    id: 'C4.7',
    asked: 'the flag that the agent may set is that of the format',
    command: 'harness run --dry-run',
    seen: 'passes, and status for the other formats',
    async show(stage) {
      const prompt = await readPrompt(stage.project());
      assert.match(prompt, /mark your own task as done there \(`passes`; in other formats `status`\)/);
    },
  },
];
