import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Feature, getBacklog, makeProject, runCli } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';

const CONFIG = `project: { name: sample }
testing:
  runner: command
  full: sh test/all.sh
  feature: sh {file}
  sanity: { lint: sh lint.sh }
agent: { provider: scripted, script: agent.yaml }
verification: { feedback_rounds: 0 }
quality: { cleanup_interval: 0 }
`;

const NAMES = [
  ...['two claims', 'a test that fails', 'a regression', 'no evidence', 'lint errors'],
  ...['the same error again and again', 'a context that fills up'],
  ...['a rate limit', 'a time-out', 'a malformed answer'],
] as const;
type Name = (typeof NAMES)[number];

const getId = (name: Name): number => NAMES.indexOf(name) + 1;
const done = (id: number) =>
  `{ edit: { file: src/${id}.txt, content: "x" } }, { run: "sh test/thing-${id}.sh" }, { claim: done }`;
const FAILING = '{ run: "echo Error: the door is shut >&2; exit 1" }';

/** What goes wrong in the first attempt; the second is in order. */
const WRONG: Readonly<Record<Name, (id: number) => string>> = {
  'two claims': id =>
    `{ run: "sed -i 's/\\"passes\\": false/\\"passes\\": true/' features.json" }, ${done(id)}`,
  'a test that fails': () => '{ lie: done }',
  'a regression': id => `{ delete: src/old.txt }, ${done(id)}`,
  'no evidence': id => `{ edit: { file: src/${id}.txt, content: "x" } }, { claim: done }`,
  'lint errors': id => `{ edit: { file: src/ugly.txt, content: "x" } }, ${done(id)}`,
  'the same error again and again': id => `${Array(6).fill(FAILING).join(', ')}, ${done(id)}`,
  'a context that fills up': id =>
    `{ edit: { file: src/${id}.txt, content: "x" } }, ${[155, 30, 115].map(k => `{ burn: { input: ${k}000, cost_usd: 0.01 } }`).join(', ')}, { sleep: 20 }`,
  'a rate limit': () => '{ refuse: { kind: rate_limit, retry_seconds: 1 } }',
  'a time-out': () => '{ refuse: { kind: timeout } }',
  'a malformed answer': () => '{ refuse: { kind: malformed } }',
};

const feature = (id: number): Feature => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
});

interface Told {
  readonly type: string;
  readonly task?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly verdict?: { readonly word: string; readonly decidedBy: string };
  readonly checks?: readonly unknown[];
  readonly kind?: string;
  readonly response?: string;
  readonly transcript?: { readonly path: string };
}

describe('what goes wrong in a night', () => {
  let dir = '';
  let told: readonly Told[] = [];
  const of = (name: Name, type: string): readonly Told[] =>
    told.filter(event => event.task === String(getId(name)) && event.type === type);
  const getTranscript = (name: Name): string =>
    readFileSync(join(dir, '.harness', of(name, 'session.ended')[0]?.transcript?.path ?? ''), 'utf8');

  beforeAll(async () => {
    const script = NAMES.map(name => {
      const id = getId(name);
      return `  "${id}": { attempts: [[${WRONG[name](id)}], [${done(id)}]] }`;
    });
    dir = makeProject({
      '.harness.yaml': CONFIG,
      'features.json': getBacklog(NAMES.map(name => feature(getId(name)))),
      'agent.yaml': `tasks:\n${script.join('\n')}\n`,
      'src/old.txt': 'old\n',
      'test/all.sh': 'test -f src/old.txt\n',
      'lint.sh': 'if test -f src/ugly.txt; then echo "src/ugly.txt:1:1: error: ugly"; exit 1; fi\n',
      ...Object.fromEntries(
        NAMES.map(name => [`test/thing-${getId(name)}.sh`, `test -f src/${getId(name)}.txt\n`]),
      ),
    });
    const { code, stderr } = await runCli(dir, ['run', '--all']);
    const { stdout } = await runCli(dir, ['log', '--limit', '2000', '--level', 'debug', '--json']);
    told = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Told);
    expect(code, stderr).toBe(0);
  }, 180_000);

  it.each<[Name, string]>([
    ['two claims', 'claim'],
    ['a test that fails', 'claim'],
    ['a regression', 'pass-to-pass'],
    ['no evidence', 'evidence'],
  ])('%s: rejected by %s, and landed once it is in order', (name, check) => {
    expect(of(name, 'verdict.given')[0]?.verdict).toMatchObject({ word: 'rejected', decidedBy: check });
    expect(of(name, 'task.landed')).toHaveLength(1);
  });

  it('lint errors: warned of and kept in mind for a clean-up, unless the config says that they block', () => {
    expect(of('lint errors', 'verdict.given')[0]?.checks).toContainEqual(
      expect.objectContaining({ check: 'lint', status: 'warned' }),
    );
    expect(of('lint errors', 'task.landed')).toMatchObject([{ attempt: 1 }]);
  });

  it('the same error again and again: another approach is suggested, once, and the work goes on', () => {
    expect(getTranscript('the same error again and again')).toMatch(/another (way|approach)|different/i);
    expect(of('the same error again and again', 'task.landed')).toMatchObject([{ attempt: 1 }]);
  });

  it('a context that fills up: warned, asked to wrap up, stopped, and gone on with from the files', () => {
    const transcript = getTranscript('a context that fills up');
    expect(transcript).toContain('77 %');
    expect(of('a context that fills up', 'session.ended')[0]).toMatchObject({ outcome: 'context' });
    expect(of('a context that fills up', 'attempt.ended')[0]).toMatchObject({ outcome: 'partial' });
    expect(of('a context that fills up', 'attempt.started')[1]).toMatchObject({ wip: expect.any(String) });
  });

  it.each<[Name, string]>([
    ['a rate limit', 'rate_limit'],
    ['a time-out', 'timeout'],
    ['a malformed answer', 'malformed'],
  ])('%s: waited for, blames nobody, and goes on', (name, kind) => {
    expect(told.find(event => event.type === 'provider.failed' && event.kind === kind)).toMatchObject({
      response: 'wait',
    });
    expect(of(name, 'task.landed')).toHaveLength(1);
  });
});

it('an agent that is not let in ends the run, and says so by its exit code', async () => {
  const dir = makeProject({ 'agent.yaml': 'tasks: { "*": [{ refuse: { kind: auth } }] }\n' });
  const { code, stdout } = await runCli(dir, ['run', '--all']);
  expect([code, stdout]).toEqual([4, expect.stringContaining('harness doctor')]);
});

it('a checkout with changes is left alone: work lands beside it', async () => {
  const dir = makeProject();
  write(dir, { 'test/all.sh': 'exit 0 # mine\n' });
  const before = [git(dir, 'status', '--porcelain'), git(dir, 'rev-parse', 'HEAD')];
  const { stderr } = await runCli(dir, ['run']);
  expect(stderr).toContain('on harness/landed');
  expect([git(dir, 'status', '--porcelain'), git(dir, 'rev-parse', 'HEAD')]).toEqual(before);
});

it('a checkout on no branch is refused with the way out, and left as it is', async () => {
  const dir = makeProject();
  git(dir, 'checkout', '-q', '--detach');
  const { code, stderr } = await runCli(dir, ['run']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('git switch main')]);
});
