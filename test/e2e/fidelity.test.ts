import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir, write } from '../support/git-fixture.ts';

const SPEC = 'docs/spec.md';
const ACCEPTANCE = 'docs/spec.acceptance.md';
const SETTINGS = `${CONFIG}fidelity: { spec_path: ${SPEC} }\n`;
const getCriteria = (...tags: string[]) =>
  `# Things\n\n## Release criteria\n\n${tags.map(tag => `- [ ] **tag: \`${tag}\`** — "${tag} is there"\n`).join('')}`;
const TAGGED = getBacklog(FEATURES.map(feature => ({ ...feature, tags: [`thing/${feature.id}`] })));

let sample = '';
beforeAll(async () => {
  sample = makeProject({
    '.harness.yaml': SETTINGS,
    'features.json': TAGGED,
    [SPEC]: '# Things\n\n## Requirements\n\n- Thing 1 exists\n- Thing 9 exists\n',
    [ACCEPTANCE]: getCriteria('thing/1', 'thing/2', 'thing/3'),
  });
  await runCli(sample, ['run', '--all']);
});

/** Tasks 1 and 2 have landed, 3 is open. */
function copyProject(): string {
  const dir = join(makeTempDir(), 'project');
  mkdirSync(dirname(dir), { recursive: true });
  cpSync(sample, dir, { recursive: true, preserveTimestamps: true });
  return dir;
}

const getReports = (dir: string) => readdirSync(join(dir, '.harness/reports/fidelity')).sort();

describe.concurrent('harness fidelity', { timeout: 240_000 }, () => {
  it('counts what is proven, and nothing that somebody still works on', async () => {
    const dir = copyProject();
    const { code, stdout } = await runCli(dir, ['fidelity', '--json']);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      ...{ drift: 0, threshold: 0.25, due: 2, met: 2, partial: 0, unmet: 0, unknown: 0 },
      matrix: [
        { id: 'thing/1', status: 'met', due: true, tasks: [{ id: '1', standing: 'proven' }] },
        { id: 'thing/2', status: 'met', due: true },
        { id: 'thing/3', status: 'unmet', due: false, tasks: [{ id: '3', standing: 'open' }], proofs: [] },
      ],
      history: [{ passed: true, drift: 0, commit: git(dir, 'rev-parse', 'HEAD') }],
    });
    const audit = await runJson<{ landings: { proof: string }[] }>(dir, ['audit']);
    expect(result.matrix[0].proofs).toEqual([audit.landings[0]?.proof]);
    expect((await runCli(dir, ['fidelity'])).stdout).toContain('drift 0 % (limit 25 %), of 2 due: 2 met');
    expect((await runCli(dir, ['log', '--type', 'gate.judged'])).stdout).toContain('fidelity: drift 0 %');
  });

  it('is over its limit by what nobody has done, ends with 5, and keeps what it found', async () => {
    const dir = copyProject();
    commit(dir, { [ACCEPTANCE]: getCriteria('thing/1', 'thing/2', 'thing/9') });
    const { code, stdout } = await runCli(dir, ['fidelity', '--json']);
    expect(code).toBe(5);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ due: 3, met: 2, unknown: 1, drift: 0.3333, over: true, unrequested: [] });
    const [html, json, md, ...more] = getReports(dir);
    expect([html, json, md, more]).toEqual([
      ...['html', 'json', 'md'].map(ending =>
        expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\d-spec\\.${ending}$`)),
      ),
      [],
    ]);
    expect(readFileSync(join(dir, result.report), 'utf8')).toContain('OVER: drift 33.3 %');
    const page = readFileSync(join(dir, '.harness/reports/fidelity', html ?? ''), 'utf8');
    expect(page).toContain('thing/9');
    expect(page).not.toMatch(/<script|src=|href=/);
  });

  it('says the same of the same, and leaves the report as it was', async () => {
    const dir = copyProject();
    const first = await runJson(dir, ['fidelity']);
    const folder = join(dir, '.harness/reports/fidelity');
    for (const name of getReports(dir))
      renameSync(join(folder, name), join(folder, `2026-01-02${name.slice(10)}`));
    const again = await runJson(dir, ['fidelity']);
    expect(again).toMatchObject({
      drift: first.drift,
      report: '.harness/reports/fidelity/2026-01-02-spec.md',
    });
    expect(getReports(dir)).toHaveLength(3);
    commit(dir, { [ACCEPTANCE]: getCriteria('thing/1') });
    expect((await runJson(dir, ['fidelity'])).report).toBe(first.report);
    expect(getReports(dir)).toHaveLength(6);
  });

  it('takes back what a person breaks by hand', async () => {
    const dir = copyProject();
    commit(dir, { 'test/thing-1.sh': 'exit 0\n' });
    expect(await runJson(dir, ['fidelity'])).toMatchObject({
      ...{ due: 2, met: 1, unmet: 1, drift: 0.5 },
      matrix: [{ status: 'unmet', proofs: [], tasks: [{ standing: 'broken' }] }, { status: 'met' }, {}],
    });
  });

  it('goes by the lists of the specification where there is no acceptance file', async () => {
    const dir = copyProject();
    git(dir, 'rm', '-q', ACCEPTANCE);
    git(dir, 'commit', '-q', '-m', 'Without');
    expect(await runJson(dir, ['fidelity', '--spec', SPEC])).toMatchObject({
      spec: SPEC,
      ...{ due: 2, met: 1, unknown: 1, drift: 0.52 },
      unrequested: [{ id: '2' }],
    });
  });

  it('does not ask of what lies outside the product who wanted it', async () => {
    const dir = copyProject();
    git(dir, 'rm', '-q', ACCEPTANCE);
    commit(dir, { '.harness.yaml': `${SETTINGS}plan: { app_paths: [app] }\n` });
    expect(await runJson(dir, ['fidelity'])).toMatchObject({ drift: 0.5, unrequested: [] });
    commit(dir, { '.harness.yaml': `${SETTINGS}plan: { app_paths: [app, src] }\n` });
    expect(await runJson(dir, ['fidelity'])).toMatchObject({ drift: 0.52, unrequested: [{ id: '2' }] });
  });

  it.each([
    ['the file and the line', { [ACCEPTANCE]: getCriteria('a/b', 'a/b') }, `${ACCEPTANCE}:6 has the tag a/b`],
    ['a file without criteria', { [ACCEPTANCE]: '# Things\n' }, `${ACCEPTANCE}:1 has no section`],
    ['a setting that is not there', { '.harness.yaml': CONFIG }, 'fidelity.spec_path is not set'],
  ])('names %s, and ends with 2', async (_, files, message) => {
    const dir = copyProject();
    commit(dir, files);
    const { code, stderr } = await runCli(dir, ['fidelity']);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('sees only what is committed', async () => {
    const dir = copyProject();
    write(dir, { 'docs/new.md': '## Requirements\n- x\n' });
    const { code, stderr } = await runCli(dir, ['fidelity', '--spec', 'docs/new.md']);
    expect(stderr).toContain('docs/new.md or docs/new.acceptance.md is not committed');
    expect(code).toBe(2);
  });

  it('is written by nobody who is measured by it', async () => {
    const moves = `[{ edit: { file: src/1.txt, content: x } }, { edit: { file: ${ACCEPTANCE}, content: x } }, { claim: done }]`;
    const agent = `tasks: { "1": ${moves} }\n`;
    const files = { 'agent.yaml': agent, [ACCEPTANCE]: getCriteria('thing/1'), 'features.json': TAGGED };
    const dir = makeProject({ ...files, '.harness.yaml': SETTINGS });
    const { code, stdout, stderr } = await runCli(dir, ['run', '--task', '1']);
    expect(code).toBe(5);
    expect(stdout + stderr).toContain(`${ACCEPTANCE}`);
    const free = makeProject({ ...files, '.harness.yaml': CONFIG });
    expect((await runCli(free, ['run', '--task', '1'])).code).toBe(0);
  });
});
