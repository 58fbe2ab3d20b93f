import { describe, expect, inject, it } from 'vitest';
import { getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, SHELL_ENV } from '../support/git-fixture.ts';
import { type Typed, typeAtTerminal } from '../support/terminal.ts';

const atTerminal = (cwd: string, command: string, ...typed: Typed[]) =>
  typeAtTerminal(`"${process.execPath}" "${inject('harnessProgram')}" ${command}`, typed, {
    cwd,
    env: { ...SHELL_ENV, TERM: 'xterm' },
  });
const getStatus = async (dir: string, id: string) => {
  const { tasks } = await runJson<{ tasks: { id: string; status: string }[] }>(dir, ['status']);
  return tasks.find(task => task.id === id)?.status;
};

describe.concurrent('the task as --feature', () => {
  it('names it wherever a command takes a task', async () => {
    const dir = makeProject();
    expect((await runCli(dir, ['run', '--feature', '1'])).code).toBe(0);
    expect((await runCli(dir, ['verify', '--feature', '1'])).code).toBe(0);
    expect((await runCli(dir, ['proof', '--feature', '1'])).stdout).toContain('proven');
    expect((await runCli(dir, ['log', '--feature', '1'])).stdout).toContain('task 1 landed');
    expect((await runCli(dir, ['skip', '--feature', '2', '--reason', 'later'])).code).toBe(0);
    expect((await runCli(dir, ['reset', '--feature', '2'])).stdout).toContain('reset: 2');
    expect((await runCli(dir, ['handoff', '--feature', '2'])).code).toBe(0);
  });

  it.each([
    [['skip', '1', '--feature', '2', '--reason', 'x'], 'name different tasks'],
    [['skip', '--reason', 'x'], "missing required argument 'task'"],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await runCli(makeProject(), args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe.concurrent('override', () => {
  it('asks at a terminal, and takes a no', async () => {
    const dir = makeProject();
    const no = await atTerminal(dir, 'override --feature 3 --passes true', ['[y/N]', 'n']);
    expect([no.code, no.text]).toEqual([3, expect.stringContaining('bypasses verification')]);
    const yes = await atTerminal(
      dir,
      'override --feature 3 --passes true',
      ['[y/N]', 'y'],
      ['Reason', 'seen'],
    );
    expect([yes.code, yes.text]).toEqual([0, expect.stringContaining('will count as done, unproven')]);
  });

  it('takes a proven task back, which stays open although its test is green', async () => {
    const dir = makeProject();
    await runCli(dir, ['run']);
    const args = [
      'override',
      '--feature',
      '1',
      '--passes',
      'false',
      '--reason',
      'it is too slow',
      '--by',
      'Ada',
    ];
    expect((await runCli(dir, args)).stdout).toContain('task 1 is open again');
    expect((await runCli(dir, ['status'])).stdout).toMatch(/1: Thing 1 .*OPEN AGAIN/);
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '1' } });
    await runCli(dir, ['run']);
    expect(await getStatus(dir, '1')).not.toBe('landed');
  });
});

describe.concurrent('manual-verify at a terminal', () => {
  const manual = {
    'features.json': getBacklog([
      {
        id: 1,
        description: 'It looks right',
        verification_type: 'manual',
        manual_checks: ['the button is blue'],
      },
    ]),
  };

  it('asks y or n: yes lets it land', async () => {
    const dir = makeProject(manual);
    expect((await runCli(dir, ['run'])).code).toBe(7);
    const { code, text } = await atTerminal(dir, 'manual-verify --feature 1', ['[y/n]', 'y']);
    expect([code, text]).toEqual([0, expect.stringMatching(/the button is blue[\s\S]*recorded yes/)]);
    expect((await runCli(dir, ['run'])).code).toBe(0);
    expect(git(dir, 'log', '-1', '--format=%s')).toBe('It looks right');
  });

  it('no wants to know what is wrong, and sends it back', async () => {
    const dir = makeProject(manual);
    await runCli(dir, ['run']);
    const { text } = await atTerminal(
      dir,
      'manual-verify 1',
      ['[y/n]', 'n'],
      ['What is wrong?', 'it is green'],
    );
    expect(text).toContain('recorded no');
    expect((await runCli(dir, ['run', '--dry-run'])).stdout).toContain('it is green');
  });

  it('a run asks the same, and goes on with a yes', async () => {
    const dir = makeProject(manual);
    const { code, text } = await atTerminal(dir, 'run --all', ['Your answer', 'y']);
    expect([code, text]).toEqual([0, expect.stringContaining('everything is landed')]);
  });
});
