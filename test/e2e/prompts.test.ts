import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const MARK = '<!-- below: what changes from session to session -->';
const WORD = {
  phase: 'one of two files',
  completed: ['src/half.txt'],
  next_step: 'write src/1.txt',
  critical_files: ['src/half.txt', 'src/never.txt'],
  memory_notes: 'mind the order',
};

/** The first attempt crashes half way and leaves word, the second finishes; the other task follows. */
const AGENT = {
  tasks: {
    1: {
      attempts: [
        [
          { edit: { file: 'src/half.txt', content: 'a\nb\n' } },
          { edit: { file: 'state/handoff.json', content: JSON.stringify(WORD) } },
          { decide: 'halves first, because they are small' },
          { crash: 'out of luck' },
        ],
        [{ edit: { file: 'src/1.txt', content: '1\n' } }, { claim: 'wrote the other half' }],
      ],
    },
    2: [{ edit: { file: 'src/2.txt', content: '2\n' } }, { claim: 'wrote 2' }],
  },
};

describe('a project with prompts, notes and something to say', () => {
  let dir = '';
  let prompts: string[] = [];

  beforeAll(async () => {
    dir = makeProject({
      'agent.yaml': JSON.stringify(AGENT),
      'features.json': getBacklog(
        [1, 2].map(id => ({ ...task(id), ...(id > 1 ? { depends_on: [1] } : {}) })),
      ),
      'claude-progress.txt': '====\nCLAUDE PROGRESS LOG - sample\n====\n',
      'harness/prompts/continuation.md': `OUR OWN RULES for {{project}}\n\n${MARK}\n\n{{brief}}\n`,
    });
    writeFileSync(join(dir, '..', 'legal.md'), 'The name of the shop is Schmidt.\n');
    await runJson(dir, ['drop', '../legal.md']);
    expect(await runCli(dir, ['run', '--all'])).toMatchObject({ code: 0 });
    const folder = join(dir, '.harness/sessions');
    prompts = readdirSync(folder)
      .sort()
      .map(name => readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? '')
      .map(line => getText(JSON.parse(line)));
  });

  it('is told what people left, once, and it is put away', () => {
    expect(prompts[0]).toContain('The name of the shop is Schmidt.');
    expect(prompts[2]).not.toContain('Schmidt');
    expect(readdirSync(join(dir, '.harness/inbox/coding'))).toEqual([]);
    expect(readdirSync(join(dir, '.harness/inbox/processed'))).toHaveLength(2);
  });

  it('goes on with its own rules, where the last session left off', () => {
    expect(prompts[1]?.startsWith('OUR OWN RULES for sample\n')).toBe(true);
    for (const part of [
      '**What is left:** write src/1.txt',
      '**Files that matter:** src/half.txt\n',
      '- src/half.txt (added, 2 lines now)',
      'mind the order',
    ])
      expect(prompts[1]).toContain(part);
  });

  it('tells later sessions what was decided, and which files to know', () => {
    expect(prompts[2]).toContain('- Session 1: halves first, because they are small');
    expect(prompts[2]).toContain('- src/1.txt (task 1, session 2, 1 lines)');
    const [first = '', , third = ''] = prompts;
    expect(first.slice(0, first.indexOf(MARK))).toBe(third.slice(0, third.indexOf(MARK)));
  });

  it('lands an entry in the notes with each task, and never the handoff', () => {
    const notes = git(dir, 'show', 'HEAD:claude-progress.txt');
    expect(notes.match(/^SESSION \d+/gm)).toEqual(['SESSION 1', 'SESSION 2', 'SESSION 3']);
    expect(notes).toContain('- wrote the other half\n- Changed src/1.txt, src/half.txt\n');
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('handoff.json');
    expect(existsSync(join(dir, 'state'))).toBe(false);
  });

  it('is refused with the file and the placeholder when a prompt of its own is broken', async () => {
    writeFileSync(join(dir, 'harness/prompts/review.md'), `{{projekt}}\n${MARK}\n{{brief}}\n`);
    const { code, stderr } = await runCli(dir, ['run', '--dry-run']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('harness/prompts/review.md has the unknown placeholder {{projekt}}');
  });

  it.each([
    ['missing.md', null, 'is not a file'],
    ['picture.png', '\0\0', 'is no text'],
  ])('refuses to take %s', async (name, content, problem) => {
    if (content !== null) writeFileSync(join(dir, '..', name), content);
    const { code, stderr } = await runCli(dir, ['drop', `../${name}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });
});

function task(id: number) {
  return { id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh`, passes: false };
}

function getText(line: { readonly text?: string }): string {
  return line.text ?? '';
}
