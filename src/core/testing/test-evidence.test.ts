import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { createEvidence } from './test-evidence.ts';
import { getTestRun } from './test-run-line.ts';

const TESTING = { ...simPolicy.testing, full: 'npm run build && npm test', feature: null };
const ABOUT = { testing: TESTING, task: { testFile: 'test/cart.test.js', validation: null } };

describe('a run of the tests', () => {
  it.each([
    'npm test',
    'cd app && npm test -- --run',
    'npm test 2>&1 | tail -20',
    'npm test && echo good',
    'CI=1 npx vitest run test/cart.test.js',
    'node --test test/cart.test.js',
    'node --test --test-reporter=spec ./test/cart.test.js',
    "bash -lc 'npm test'",
    'python3 -m pytest -q',
    'timeout 60 pnpm run test:unit',
    'poetry run pytest',
    'go test ./...',
    'make test',
    'yarn test',
  ])('is seen in: %s', line => {
    expect(getTestRun(line, ABOUT)).toMatchObject({ isTelling: true });
  });

  it.each([
    'echo npm test',
    'echo "npm test"; echo "# pass 3"',
    'cat vitest.config.js',
    'npm install vitest',
    'which pytest',
    'npm run build',
    'npx vitest --help',
    'pytest --collect-only',
    'node --test test/other.test.js',
    '# npm test',
    'git commit -m "npm test"',
    'grep -r jest .',
  ])('is not seen in: %s', line => {
    expect(getTestRun(line, ABOUT)).toBeNull();
  });

  it.each(['npm test || true', 'false && npm test || true', 'npm test; echo done', 'npm test & sleep 1'])(
    'tells nothing by its exit code in: %s',
    line => {
      expect(getTestRun(line, ABOUT)).toMatchObject({ isTelling: false });
    },
  );

  it('may be the validation command of the task', () => {
    const task = { testFile: null, validation: { command: './verify.sh --all', timeoutSeconds: 1 } };
    expect(getTestRun('./verify.sh --all', { testing: TESTING, task })).not.toBeNull();
    expect(getTestRun('./verify.sh', { testing: TESTING, task })).toBeNull();
  });
});

const edit = (path: string): AgentEvent => ({ type: 'file', action: 'write', path });
const run = (command: string, exitCode: number | null = 0, output = ''): AgentEvent => ({
  type: 'command',
  command,
  exitCode,
  output,
});

function show(events: readonly AgentEvent[], reportsTools = true) {
  const evidence = createEvidence({ ...ABOUT, aside: ['notes.txt', '**/*.md'] });
  for (const event of events) evidence.note(event);
  return evidence.get(reportsTools);
}

const NOT_OK =
  "not ok 2 - sums\n  ---\n  duration_ms: 1\n  type: 'test'\n  location: '/w/test/cart.test.js:3:1'\n";

describe('evidence', () => {
  it.each<[string, AgentEvent[], boolean]>([
    ['a good run after the last edit', [edit('src/a.js'), run('npm test')], true],
    ['notes written after the run', [edit('src/a.js'), run('npm test'), edit('notes.txt')], true],
    ['no run', [edit('src/a.js')], false],
    ['only words', [edit('src/a.js'), { type: 'text', text: 'npm test: all 12 tests pass' }], false],
    ['a run before the last edit', [run('npm test'), edit('src/a.js')], false],
    ['a run before an edit in the shell', [run('npm test'), run("cat > src/a.js <<'E'\nx\nE")], false],
    ['a run before sed', [run('npm test'), run('sed -i s/a/b/ src/a.js')], false],
    ['a run that failed', [edit('src/a.js'), run('npm test', 1)], false],
    ['a good run, then a bad one', [edit('src/a.js'), run('npm test'), run('npm test', 1)], false],
    ['output sent away', [edit('src/a.js'), run('npm test > /dev/null 2>&1')], true],
    ['an edit and a run in one line', [run('echo x > src/a.js && npm test')], true],
  ])('judges %s', (_, events, isShown) => {
    expect(show(events).testRunAfterLastEdit).toBe(isShown);
  });

  it.each<[string, string, number, string, true | undefined]>([
    ['the whole suite', 'npm test', 1, '✖ test/pay.test.js', true],
    [
      'the whole suite in colours',
      'npm test',
      1,
      ' \u001b[31mFAIL\u001b[0m test/cart.test.js > x',
      undefined,
    ],
    ['its own test in it (spec)', 'npm test', 1, 'test at test/cart.test.js:3:1\n✖ sums', undefined],
    ['its own test in it (TAP)', 'npm test', 1, NOT_OK, undefined],
    ['another one in it (TAP)', 'npm test', 1, NOT_OK.replace('cart', 'pay'), true],
    ['its own file alone', 'npm test -- test/cart.test.js', 1, '', undefined],
    ['some tests by name', 'npx vitest run -t sums', 1, '', undefined],
    ['a command that is not there', 'npm test', 127, '', undefined],
    ['something whose exit code tells nothing', 'npm test; true', 1, '', undefined],
  ])('of a red run is seen in %s', (_, command, exitCode, output, othersRed) => {
    expect(show([edit('src/a.js'), run(command, exitCode, output)]).othersRed).toBe(othersRed);
  });

  it('of a red run goes with the next edit', () => {
    expect(show([run('npm test', 1), edit('src/a.js')]).othersRed).toBeUndefined();
  });

  it('is not asked of an agent that tells nothing of its commands', () => {
    expect(show([edit('src/a.js')], false).isReported).toBe(false);
    expect(show([run('ls')], false).isReported).toBe(true);
  });
});
