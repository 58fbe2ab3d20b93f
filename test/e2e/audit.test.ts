import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir, write } from '../support/git-fixture.ts';

let sample = '';
beforeAll(async () => {
  sample = makeProject();
  await runCli(sample, ['run', '--all']);
});

/** A project in which tasks 1 and 2 have landed. */
function copyProject(): string {
  const dir = join(makeTempDir(), 'project');
  mkdirSync(dirname(dir), { recursive: true });
  cpSync(sample, dir, { recursive: true, preserveTimestamps: true });
  return dir;
}

/** Somebody else's clone, with the proofs or without. */
function clone(from: string, withNotes = true): string {
  const dir = join(makeTempDir(), 'clone');
  git(from, 'clone', '-q', '.', dir);
  if (withNotes) git(dir, 'fetch', '-q', 'origin', 'refs/notes/*:refs/notes/*');
  return dir;
}

function replaceInFile(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

function forgeObject(dir: string, spec: string): void {
  const id = git(dir, 'rev-parse', spec);
  const path = join(dir, '.git/objects', id.slice(0, 2), id.slice(2));
  const body = inflateSync(readFileSync(path));
  body[body.length - 2] = (body.at(-2) ?? 0) ^ 1;
  chmodSync(path, 0o644);
  writeFileSync(path, deflateSync(body));
}

function editNote(dir: string, from: string, to: string): void {
  const id = git(dir, 'log', '-1', '--format=%H', '--grep=Harness-Task: 1');
  const text = git(dir, 'notes', '--ref=harness-proofs', 'show', id);
  expect(text).toContain(from);
  write(dir, { '../note': text.replace(from, to) });
  git(dir, 'notes', '--ref=harness-proofs', 'add', '-f', '-F', '../note', id);
}

function amend(dir: string, change: () => void, ...args: string[]): void {
  change();
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '--amend', '--allow-empty', ...args);
}

const PROOF = '.harness/proofs/task-1-attempt-1.json';

describe.concurrent('audit', () => {
  it('finds nothing wrong with a healthy project, here and in another clone', async () => {
    const dir = copyProject();
    const expected = {
      ok: true,
      landings: [
        { task: '1', status: 'sound' },
        { task: '2', status: 'sound' },
      ],
    };
    expect(await runJson(dir, ['audit'])).toMatchObject(expected);
    expect(await runJson(clone(dir), ['audit'])).toMatchObject(expected);
    const { code, stdout } = await runCli(dir, ['audit']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('all is as it was proven')]);
  });

  it('proves everything again where the proofs were not fetched, and gets the same hashes', async () => {
    const dir = clone(copyProject(), false);
    expect(await runCli(dir, ['audit'])).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('absent'),
    });
    const again = { verdict: 'proven', result: 'same', ok: true };
    expect(await runJson(dir, ['audit', '--rerun'])).toMatchObject({
      ok: true,
      landings: [{ rerun: again }, { rerun: again }],
    });
  });

  it.each<[string, (dir: string) => void, string]>([
    ['a proof’s statement', dir => replaceInFile(join(dir, PROOF), '"proven"', '"Proven"'), 'attempt-1.json'],
    ['a proof’s record', dir => replaceInFile(join(dir, PROOF), '"attempt": 1', '"attempt": 2'), 'record'],
    ['a space in a proof', dir => replaceInFile(join(dir, PROOF), '  "hash"', ' \t"hash"'), 'attempt-1.json'],
    ['a note', dir => editNote(dir, '"exit_code": 0', '"exit_code": 1'), 'the note on the commit'],
    ['the landed tree', dir => amend(dir, () => write(dir, { 'src/2.txt': '3\n' }), '--no-edit'), 'task 2'],
    [
      'the hash in the commit',
      dir =>
        amend(dir, () => undefined, '-m', git(dir, 'log', '-1', '--format=%B').replace(/(Proof: )./, '$1x')),
      'task 2',
    ],
    ['a landed object', dir => forgeObject(dir, 'HEAD:src/1.txt'), 'src/1.txt: hash mismatch'],
    [
      'a test, by a commit',
      dir => commit(dir, { 'test/thing-1.sh': 'test -f src/1.txT\n' }),
      'test/thing-1.sh',
    ],
    [
      'a test, in the checkout',
      dir => write(dir, { 'test/thing-1.sh': 'test -f src/1.txT\n' }),
      'test/thing-1.sh',
    ],
  ])('finds one byte that was edited in %s', async (_, edit, named) => {
    const dir = copyProject();
    edit(dir);
    const { code, stdout } = await runCli(dir, ['audit']);
    expect(stdout).toContain(named);
    expect(stdout).toContain('NOT as it was proven');
    expect(code).toBe(5);
  });

  it('finds the same in a clone that has nothing but the repository', async () => {
    const dir = copyProject();
    editNote(dir, '"exit_code": 0', '"exit_code": 1');
    expect(await runJson(clone(dir), ['audit'])).toMatchObject({
      ok: false,
      landings: [
        { task: '1', status: 'broken' },
        { task: '2', status: 'sound' },
      ],
    });
  });

  it('lists what was marked as passing by hand as unproven', async () => {
    const dir = copyProject();
    const text = readFileSync(join(dir, 'features.json'), 'utf8');
    commit(dir, { 'features.json': text.replace('"passes": false', '"passes": true') });
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, unproven: ['3'] });
  });

  it('sees work that waits on harness/landed, and tests edited in the checkout beside it', async () => {
    const dir = makeProject();
    write(dir, { 'features.json': `${getBacklog()} ` });
    await runCli(dir, ['run']);
    git(dir, 'checkout', '-q', '--', 'features.json');
    const landings = [{ task: '1', status: 'sound' }];
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, landings });
    commit(dir, { 'more.txt': 'more' });
    const parted = git(dir, 'for-each-ref');
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, landings, missing: [], changed: [] });
    expect(git(dir, 'for-each-ref')).toBe(parted);
    write(dir, { 'test/thing-1.sh': 'true\n' });
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: false, uncommitted: ['test/thing-1.sh'] });
    commit(dir, { 'test/thing-1.sh': 'true\n' });
    expect(await runJson(dir, ['audit'])).toMatchObject({
      ok: false,
      changed: [{ path: 'test/thing-1.sh', byTask: null }],
    });
  });

  it('takes a test that is put in the place of a stub for no change of what was proven', async () => {
    const dir = makeProject({ 'test/thing-3.sh': '# harness:stub: no test yet\nexit 1\n' });
    await runCli(dir, ['run', '--max-tasks', '2']);
    expect(git(dir, 'log', '-1', '--format=%B')).toContain('Harness-Task: 2');
    commit(dir, { 'test/thing-3.sh': 'test -f src/3.txt\n' });
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: true, changed: [] });
  });

  it('names a landing that is recorded here and gone from the history', async () => {
    const dir = copyProject();
    git(dir, 'reset', '-q', '--hard', 'HEAD~1');
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: false, missing: ['2'] });
  });
});

describe.concurrent('proof', () => {
  it('is shown in another clone, for the eye, for a program and as a page', async () => {
    const dir = clone(copyProject());
    expect((await runCli(dir, ['proof', '1'])).stdout).toContain('test/thing-1.sh: failed → passed');
    expect(await runJson(dir, ['proof', '1'])).toMatchObject({ statement: { task: { id: '1' } } });
    await runCli(dir, ['proof', '1', '--html', 'p.html']);
    expect(readFileSync(join(dir, 'p.html'), 'utf8')).toContain('Thing 1 exists');
    expect(readdirSync(dir)).not.toContain('.harness');
  });

  it('tells how to get one that is not here', async () => {
    const { code, stderr } = await runCli(clone(copyProject(), false), ['proof', '1']);
    expect(stderr).toContain('git fetch origin refs/notes/harness-proofs');
    expect(stderr).toContain('harness verify 1');
    expect(code).toBe(5);
  });

  it('is shown for work that was rejected, and says what decided', async () => {
    const { stdout } = await runCli(copyProject(), ['proof', '3']);
    expect(stdout).toContain('nothing was changed');
    expect(stdout).toContain('← decided');
  });

  it('says that it cannot be believed once it was edited', async () => {
    const dir = copyProject();
    editNote(dir, '"exit_code": 0', '"exit_code": 1');
    const { code, stdout } = await runCli(dir, ['proof', '1']);
    expect([code, stdout]).toEqual([5, expect.stringContaining('NOT TO BE BELIEVED')]);
  });
});

describe.concurrent('verify of a landed task', () => {
  it('says what came out otherwise than when it landed', async () => {
    const dir = copyProject();
    const before = git(dir, 'rev-parse', 'HEAD');
    amend(dir, () => write(dir, { 'src/2.txt': '3\n' }), '--no-edit');
    git(dir, 'notes', '--ref=harness-proofs', 'copy', before, 'HEAD');
    const result = await runJson<{ proof: { result: string; differences: string[] } }>(dir, ['verify', '2']);
    expect(result.proof.result).toBe('different');
    expect(result.proof.differences.join('\n')).toContain('candidate.tree');
  });

  it('judges by the settings of that time, whatever they are now', async () => {
    const dir = copyProject();
    const config = readFileSync(join(dir, '.harness.yaml'), 'utf8');
    commit(dir, { '.harness.yaml': config.replace('sh test/all.sh', 'sh test/none.sh') });
    expect(await runJson(dir, ['verify', '1'])).toMatchObject({ passed: true, proof: { result: 'same' } });
  });

  it.each(['hybrid', 'manual'])(
    'takes a person’s yes to a %s task as recorded, with the proof and without',
    async type => {
      const first = { ...FEATURES[0], id: 1, description: 'Thing 1 exists', verification_type: type };
      const dir = makeProject({ 'features.json': getBacklog([first]) });
      await runCli(dir, ['run']);
      await runCli(dir, ['manual-verify', '1', '--pass', '--by', 'Ada']);
      await runCli(dir, ['run']);
      const same = { passed: true, proof: { result: 'same', as_recorded: expect.anything() } };
      const answers = await Promise.all(
        [true, false].map(notes => runJson(clone(dir, notes), ['verify', '1'])),
      );
      expect(answers).toMatchObject([same, same]);
      expect(JSON.stringify(answers[1])).toContain('{"check":"human","status":"passed"}');
    },
  );
});
