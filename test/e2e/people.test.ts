import { describe, expect, it } from 'vitest';
import { type Feature, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';

const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  ...more,
});

interface Inbox {
  readonly questions: readonly { id: string; kind: string; task: string | null; what: string }[];
  readonly next: string;
}

const getInbox = (dir: string) => runJson<Inbox>(dir, ['inbox']);

describe('an agent that needs something', () => {
  it('waits for the answer while others go on, and goes on with its work once it is there', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature(1), feature(2), feature(3, { depends_on: [1] })]),
      'agent.yaml': `tasks:
  "1":
    attempts:
      - [{ edit: { file: src/half.txt, content: half } }, { ask: { question: The port?, why: Nothing says it, steps: [look it up], check: it answers } }]
      - [{ run: test -f src/half.txt }, { edit: { file: src/1.txt, content: "1" } }, { claim: done }]
  "2": [{ edit: { file: src/2.txt, content: "2" } }, { claim: done }]
  "3": [{ edit: { file: src/3.txt, content: "3" } }, { claim: done }]
`,
    });
    const first = await runCli(dir, ['run', '--all']);
    expect([first.code, first.stdout]).toEqual([7, expect.stringContaining('next: harness inbox')]);
    const { questions } = await getInbox(dir);
    expect(questions).toMatchObject([
      { id: 'agent-1-1', task: '1', what: 'The port?', steps: ['look it up'] },
    ]);
    expect((await runCli(dir, ['inbox'])).stdout).toMatch(
      /I need: +The port\?[\s\S]*Because: +Nothing says it/,
    );
    expect((await runCli(dir, ['status'])).stdout).toMatch(/Questions: +1 [\s\S]*next: harness inbox/);
    expect((await runCli(dir, ['answer', 'agent-1-1', 'answer'])).code).toBe(2);
    expect((await runCli(dir, ['answer', 'agent-1-1', 'maybe', '--text', 'x'])).code).toBe(2);
    const said = await runJson(dir, ['answer', '1', '--text', 'It is 8080', '--by', 'Ada']);
    expect(said).toMatchObject({ id: 'agent-1-1', option: 'answer', recorded: true });
    expect((await runCli(dir, ['answer', '1', '--text', 'again'])).code).toBe(2);
    expect(await getInbox(dir)).toMatchObject({ questions: [] });
    const prompt = (await runCli(dir, ['run', '--dry-run'])).stdout;
    expect(prompt).toMatch(/The port\?\n.*Ada answered: It is 8080/);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });
});
