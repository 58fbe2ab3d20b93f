import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { hasBwrap } from '../sandbox/stage.ts';
import { getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';
import { found } from '../support/review-answers.ts';

const TEST = `const { test } = require('node:test');
const { add } = require('../src/m.js');
test('adds', () => require('node:assert').equal(add(1, 2), 3));
test('adds nothing', () => require('node:assert').equal(add(1, 0), 1));
`;

interface Setup {
  /** What the agent's program does in its attempts. */
  readonly agent: string;
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly task?: Readonly<Record<string, unknown>>;
}

/** A project whose agent tries to leave a mark beside it; {OUT} is where that would be. */
function makeWalled({ agent, config = '', files = {}, task = {} }: Setup) {
  const feature = { id: 1, description: 'Adds', test_file: 'test/m.test.js', passes: false, ...task };
  const dir = makeProject({ 'test/m.test.js': TEST, ...files });
  const out = dirname(dir);
  const fill = (text: string): string => text.replaceAll('{OUT}', out);
  write(dir, {
    '.harness.yaml': fill(`project: { name: sample }
testing: { runner: node, full: node --test test/, feature: 'node --test {file}' }
agent: { provider: command, command: sh ./agent.sh }
attempts: { max_attempts: 2 }
verification: { require_evidence: false }
${config}`),
    'features.json': getBacklog([feature]),
    'agent.sh': fill(agent),
    'src/old.js': 'exports.old = 1;\n',
  });
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'Set up');
  return { dir, getMarks: () => MARKS.filter(name => existsSync(join(out, name))) };
}

const MARKS = ['mark', 'agent-mark'];
const GOOD = "mkdir -p src; echo 'exports.add = (a, b) => a + b;' > src/m.js\n";
const MARK = "require('node:fs').writeFileSync('{OUT}/mark', '');";

/** Its package installs with a script that loads the product. */
const WITH_SCRIPT = {
  'package.json': '{ "name": "p", "version": "1.0.0", "scripts": { "postinstall": "node setup.js" } }\n',
  'package-lock.json':
    '{ "name": "p", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "p", "version": "1.0.0", "hasInstallScript": true } } }\n',
  'setup.js': "try { require('./src/old.js'); } catch {}\n",
};
const SETUP = {
  agent: `${GOOD}echo "${MARK}" >> src/old.js\n`,
  config: 'environment: { install: npm ci }\n',
  files: WITH_SCRIPT,
};

describe.skipIf(!hasBwrap)('an install script that loads what the agent wrote', () => {
  it('leaves no mark, in any tree', async () => {
    const { dir, getMarks } = makeWalled(SETUP);
    await runCli(dir, ['run', '--all']);
    await runCli(dir, ['verify', '1']);
    expect(getMarks()).toEqual([]);
  });

  it('would leave one without the sandbox, and the proof says that there was none', async () => {
    const { dir, getMarks } = makeWalled({ ...SETUP, config: `${SETUP.config}sandbox: { mode: off }\n` });
    await runCli(dir, ['run', '--all']);
    expect(getMarks()).toEqual(['mark']);
    const { stdout } = await runCli(dir, ['proof', '1']);
    expect(stdout).toMatch(
      /sandbox .*process .*installs and the commands under environment ran with all rights/,
    );
  });
});

// Without a sandbox a script has the whole home folder of the user, and the proof says that there was none.
it.each(hasBwrap ? ['node_modules', '.node_modules'] : ['node_modules'])(
  'what the install script of one candidate left in %s is gone for the next',
  async folder => {
    const at =
      folder === 'node_modules' ? "'node_modules'" : "require('node:os').homedir() + '/.node_modules'";
    const plant = `const fs = require('node:fs');
const dir = ${at} + '/impl';
fs.mkdirSync(dir, { recursive: true });
fs.writeFileSync(dir + '/index.js', 'exports.add = (a, b) => a + b;');
`;
    const agent = `mkdir -p src
if [ "$HARNESS_ATTEMPT" = 1 ]; then cp plant.txt src/old.js; echo 'exports.add = () => 0;' > src/m.js
else echo 'exports.old = 1;' > src/old.js; echo "module.exports = require('impl');" > src/m.js; fi
`;
    const files = { ...WITH_SCRIPT, 'plant.txt': plant, '.gitignore': 'node_modules/\n' };
    const { dir } = makeWalled({ ...SETUP, agent, files });
    const { code } = await runCli(dir, ['run', '--all'], { HOME: dirname(dir) });
    expect(code).toBe(EXIT_CODES.human);
  },
);

describe('commands that bring the environment up and down', () => {
  const EDITED = `echo 'touch {OUT}/mark' > dev/up.sh; cp dev/up.sh dev/down.sh; chmod 777 dev; `;
  const files = { 'dev/up.sh': 'echo up\n', 'dev/down.sh': 'echo down\n' };

  it.each([
    ['init, after a crash', 'init: sh dev/up.sh', `${EDITED}kill -9 $$`],
    ['reset', "init: 'exit 1', reset: sh dev/up.sh", `${EDITED}kill -9 $$`],
    ['the health check', "health_check: '. dev/up.sh'", `${EDITED}kill -9 $$`],
    ['a clean-up', '', `${EDITED}exit 1`],
  ])('%s: the base’s own script runs, also where there is no sandbox', async (_, environment, agent) => {
    const config = `environment: { ${environment} }\nsandbox: { mode: off }\n`;
    const task = { on_failure: { cleanup: 'sh dev/down.sh' } };
    const { dir, getMarks } = makeWalled({ agent, config, files, task });
    await runCli(dir, ['run', '--all']);
    await runCli(dir, ['run', '--all']);
    expect(getMarks()).toEqual([]);
  });

  it('run once before an honest session, and can put files into its worktree', async () => {
    const init = { 'dev/up.sh': 'cp settings.example "$HARNESS_WORKTREE/.settings"\n' };
    const given = { 'settings.example': 'on\n', '.gitignore': '.settings\n' };
    const config = 'environment: { init: sh dev/up.sh, health_check: test -f settings.example }\n';
    const agent = `test "$(cat .settings)" = on || exit 1\n${GOOD}`;
    const { dir } = makeWalled({ agent, config, files: { ...init, ...given } });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });

  it.skipIf(!hasBwrap)('see nothing of the machine that sandbox.services does not name', async () => {
    const config = (services: string) =>
      `environment: { init: 'test -e {OUT}/socket' }\nsandbox: { services: [${services}] }\n`;
    for (const [services, code] of [
      ['"{OUT}/socket"', 0],
      ['', 1],
    ] as const) {
      const { dir } = makeWalled({ agent: GOOD, config: config(services) });
      write(dirname(dir), { socket: '' });
      expect((await runCli(dir, ['run', '--all'])).code).toBe(code);
    }
  });
});

describe('a reviewer', () => {
  const ANSWER = (...findings: readonly object[]) => `'${JSON.stringify(found(...findings))}'`;
  const REVIEW = `if [ "$HARNESS_ROLE" = review ]; then . ./review.sh; exit; fi\n`;
  const files = {
    'own.txt': TEST,
    'review.sh': `grep -q adds "$HARNESS_CANDIDATE_DIR/test/m.test.js" && echo ${ANSWER({ claim: 'it says so' })}\n`,
  };

  /** Without a test of the base, so that the coder writes it and somebody has to read it. */
  async function play(edit: string): Promise<readonly object[]> {
    const agent = `${REVIEW}${GOOD}mkdir -p test; cp own.txt test/m.test.js\n${edit}`;
    const { dir } = makeWalled({ agent, files });
    git(dir, 'rm', '-q', 'test/m.test.js');
    git(dir, 'commit', '-q', '-m', 'No test yet');
    await runCli(dir, ['run', '--all', '--max-sessions', '1']);
    const { stdout } = await runCli(dir, ['log', '--json', '--type', 'verdict.given']);
    const lines = stdout.split('\n').filter(line => line !== '');
    return lines.map(line => (JSON.parse(line) as { verdict: object }).verdict);
  }

  const approve = ANSWER().replaceAll('"', '\\"');
  it.each([
    ['is edited', `sed -i "s/. .\\/review.sh/echo ${approve}/" agent.sh`, 'protected'],
    ['loads something that is edited', `echo "echo ${approve}" > review.sh`, 'review'],
  ])('is the base’s also where its program %s, and sees the work', async (_, edit, decidedBy) => {
    const verdicts = await play(edit);
    expect(verdicts).not.toEqual([]);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ word: 'rejected', decidedBy });
  });
});

it('a commit that only says that it landed the task is nobody’s landing, and does not hide the real one', async () => {
  const { dir } = makeWalled({ agent: GOOD });
  const forge = (trailers: string) =>
    git(dir, 'commit', '-q', '--allow-empty', '-m', 'Adds', '-m', `Harness-Task: 1\n${trailers}`);
  const getLanded = async () =>
    (await runJson<{ counts: { landed: number } }>(dir, ['status'])).counts.landed;
  forge('Harness-Attempt: 1\nHarness-Proof: x');
  expect(await getLanded()).toBe(0);
  expect((await runCli(dir, ['verify', '1'])).code).toBe(EXIT_CODES.unproven);
  expect((await runCli(dir, ['run', '--all'])).stdout).toContain('1 landed');
  forge('Harness-Attempt: 2');
  expect(await getLanded()).toBe(1);
  expect((await runCli(dir, ['verify', '1'])).code).toBe(0);
  expect((await runCli(dir, ['audit'])).code).toBe(EXIT_CODES.unproven);
});
