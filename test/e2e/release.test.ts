import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir } from '../support/git-fixture.ts';

const ACCEPTANCE = 'docs/spec.acceptance.md';
const SETTINGS = `${CONFIG}release_gate: { spec_path: docs/spec.md }\n`;
const HEAD = '# Things\n\n## Release criteria\n\n';
const ONE =
  '- [ ] **tag: `thing/1`** — "Thing 1 is there"\n  - Tested by: `test/thing-1.sh`, `test/more.sh`\n';
const TWO = '- [ ] **tag: `thing/2`** — "Thing 2 is there"\n';
const THREE = '- [ ] **tag: `thing/3`** — "Thing 3 is there"\n';
const MANIFEST = { name: 'things', version: '1.0.0', bin: { things: 'bin.js' }, files: ['bin.js', 'src'] };
const BIN =
  '#!/usr/bin/env node\nrequire("fs").readFileSync(__dirname + "/src/1.txt");\nconsole.log("usage: things");\n';

let sample = '';
beforeAll(async () => {
  sample = makeProject({
    '.harness.yaml': SETTINGS,
    'features.json': getBacklog(FEATURES.map(feature => ({ ...feature, tags: [`thing/${feature.id}`] }))),
    [ACCEPTANCE]: HEAD + ONE + TWO,
    'test/more.sh': 'test -f src/1.txt\n',
    'package.json': JSON.stringify(MANIFEST),
    'bin.js': BIN,
  });
  await runCli(sample, ['run', '--all']);
});

/** Tasks 1 and 2 have landed, 3 is given up. */
function copyProject(): string {
  const dir = join(makeTempDir(), 'project');
  mkdirSync(dirname(dir), { recursive: true });
  cpSync(sample, dir, { recursive: true, preserveTimestamps: true });
  return dir;
}

const getFile = (dir: string) => join(dir, '.harness/RELEASE_READY');

describe.concurrent('harness release', { timeout: 240_000 }, () => {
  it('is ready where all that was asked for is proven, installs and starts, and says so in a file', async () => {
    const dir = copyProject();
    const { code, stdout } = await runCli(dir, ['release', '--json']);
    const result = JSON.parse(stdout);
    const at = git(dir, 'rev-parse', 'HEAD');
    const audit = await runJson<{ landings: { proof: string }[] }>(dir, ['audit']);
    const proofs = audit.landings.map(({ proof }) => proof);
    expect(result).toMatchObject({
      ...{ ready: true, commit: at, spec: ACCEPTANCE, environment: [] },
      criteria: [
        {
          ...{ tag: 'thing/1', status: 'covered', line: 5, tasks: ['1'], proofs: [proofs[0]] },
          tests: [
            { path: 'test/thing-1.sh', status: 'passed' },
            { path: 'test/more.sh', status: 'passed' },
          ],
        },
        { tag: 'thing/2', status: 'covered', tests: [{ path: 'test/thing-2.sh', status: 'passed' }] },
      ],
      product: {
        status: 'started',
        steps: [{}, { what: 'pack' }, { what: 'install in an empty place' }, { what: 'things --help' }],
      },
      knownIssues: ['task 3 (open): Thing 3 exists'],
    });
    expect(code).toBe(0);
    const file = JSON.parse(readFileSync(getFile(dir), 'utf8'));
    const tree = git(dir, 'rev-parse', 'HEAD^{tree}');
    expect(file).toEqual({
      ...{ at: expect.stringMatching(/^\d{4}-/), specPath: ACCEPTANCE, reportPath: result.report },
      ...{ commit: at, tree, proofs },
    });
    expect(git(dir, 'status', '--short')).toBe('');
    const report = readFileSync(join(dir, result.report), 'utf8');
    expect(report).toContain('ready at');
    const { mtimeMs } = statSync(getFile(dir));
    expect((await runCli(dir, ['release'])).code).toBe(0);
    expect(statSync(getFile(dir)).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(join(dir, '.harness/reports/release'))).toHaveLength(3);
  });

  it('takes it back once that does not hold any more, on the record', async () => {
    const dir = copyProject();
    await runCli(dir, ['release']);
    commit(dir, { 'test/more.sh': 'test -f src/7.txt\n' });
    const { code, stdout } = await runCli(dir, ['release', '--json']);
    expect(JSON.parse(stdout).criteria[0]).toMatchObject({
      status: 'covered-but-test-failed',
      why: expect.stringContaining('test/more.sh'),
    });
    expect(code).toBe(5);
    expect(existsSync(getFile(dir))).toBe(false);
    const types = (await runCli(dir, ['log', '--json', '--type', 'release'])).stdout;
    expect(types).toContain('release.withdrawn');
    git(dir, 'rm', '-q', 'test/more.sh');
    git(dir, 'commit', '-q', '-m', 'Without');
    expect(await runJson(dir, ['release'])).toMatchObject({
      ready: false,
      criteria: [{ status: 'covered-but-test-missing', ok: false }, { status: 'covered' }],
    });
  });

  it('is not ready while a criterion has no proof', async () => {
    const dir = copyProject();
    commit(dir, { [ACCEPTANCE]: HEAD + ONE + THREE + THREE.replaceAll('3', '4') });
    const { code, stdout } = await runCli(dir, ['release']);
    expect(stdout).toContain('uncovered thing/3 (line 7): task 3 has not landed');
    expect(stdout).toContain('uncovered thing/4 (line 8): no task names it');
    expect(stdout).toContain('not ready: thing/3 uncovered, thing/4 uncovered');
    expect(code).toBe(5);
    expect(existsSync(getFile(dir))).toBe(false);
  });

  it('does not take a test that a person loosened for the one that proved it', async () => {
    const dir = copyProject();
    commit(dir, { 'test/thing-1.sh': 'exit 0\n' });
    expect(await runJson(dir, ['release'])).toMatchObject({
      ready: false,
      criteria: [{ status: 'uncovered', proofs: [], why: expect.stringContaining('does not hold') }, {}],
    });
  });

  it('waits for a person where nothing else is missing, and goes on once they have ticked it', async () => {
    const dir = copyProject();
    await runCli(dir, ['override', '3', '--reason', 'it is there', '--by', 'Ann']);
    commit(dir, { [ACCEPTANCE]: HEAD + ONE + THREE, 'src/3.txt': '3\n' });
    await runCli(dir, ['run', '--all']);
    const { code, stdout } = await runCli(dir, ['release', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      awaitsPerson: true,
      criteria: [{}, { status: 'by-person', proofs: [] }],
    });
    expect(code).toBe(7);
    commit(dir, { [ACCEPTANCE]: HEAD + ONE + THREE.replace('[ ]', '[x]') });
    expect(await runJson(dir, ['release'])).toMatchObject({
      ready: true,
      criteria: [{}, { status: 'by-person', ok: true }],
    });
  });

  it('names what has to be set where it runs, and never its value', async () => {
    const dir = copyProject();
    const needs = `${HEAD + ONE}\n## Environment requirements\n\n- \`SHOP_KEY\`, \`SHOP_URL\`\n`;
    commit(dir, { [ACCEPTANCE]: needs, '.env.example': 'SHOP_URL=http://localhost\nSHOP_KEY=changeme\n' });
    const { code, stdout } = await runCli(dir, ['release', '--json']);
    expect(JSON.parse(stdout).environment).toEqual([
      { name: 'SHOP_KEY', line: 10, status: 'missing' },
      { name: 'SHOP_URL', line: 10, status: 'set' },
    ]);
    expect(code).toBe(5);
    const told = await runCli(dir, ['release'], { SHOP_KEY: 's3cr3t-of-the-shop' });
    expect(told.code).toBe(0);
    expect(told.stdout + told.stderr).not.toContain('s3cr3t');
  });

  it.each([
    [
      'a file that was not packed',
      { 'package.json': JSON.stringify({ ...MANIFEST, files: ['bin.js'] }) },
      'things --help',
    ],
    ['a program that does not start', { 'bin.js': '#!/usr/bin/env node\nprocess.exit(3);\n' }, 'exit 3'],
    [
      'a main that is not there',
      { 'package.json': JSON.stringify({ ...MANIFEST, bin: undefined, main: 'none.js' }) },
      'load things',
    ],
  ])('is not ready with %s', async (_, files, named) => {
    const dir = copyProject();
    commit(dir, files);
    const { code, stdout } = await runCli(dir, ['release']);
    expect(stdout).toContain(named);
    expect(stdout).toContain('not ready: the product');
    expect(code).toBe(5);
  });

  it('starts an application on a port of its own, and wants an answer', async () => {
    const dir = copyProject();
    const serve =
      'require("http").createServer((q, a) => a.end("x")).listen(process.env.HARNESS_PORT, "127.0.0.1");\n';
    const server = 'dev_server: { command: node serve.js, url: "http://127.0.0.1:HARNESS_PORT" }\n';
    commit(dir, { 'serve.js': serve, '.harness.yaml': `${SETTINGS}${server}` });
    expect(await runJson(dir, ['release'])).toMatchObject({
      ready: true,
      product: { status: 'started', steps: [{}, { what: 'start', detail: 'node serve.js: answers' }] },
    });
    commit(dir, { 'serve.js': 'process.exit(4)\n' });
    const { code, stdout } = await runCli(dir, ['release']);
    expect(stdout).toContain('start: the application did not come up: it ended with 4');
    expect(code).toBe(5);
  });

  it.each([
    [
      'the file and the line',
      { [ACCEPTANCE]: `${HEAD}  - Tested by: \`x\`\n` },
      `${ACCEPTANCE}:5 belongs to no criterion`,
    ],
    [
      'a file that is not there',
      { '.harness.yaml': SETTINGS.replace('spec.md', 'none.md') },
      'docs/none.acceptance.md',
    ],
    ['a setting that is not there', { '.harness.yaml': CONFIG }, 'release_gate.spec_path is not set'],
  ])('names %s, and ends with 2', async (_, files, message) => {
    const dir = copyProject();
    commit(dir, files);
    const { code, stderr } = await runCli(dir, ['release']);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
