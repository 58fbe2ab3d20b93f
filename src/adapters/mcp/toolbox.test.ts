import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import type { McpServer } from '../../ports/index.ts';
import { createToolboxes, getEntriesPath, getOrientationPath } from './toolbox.ts';

const makeDir = useTempDir();

function open() {
  const worktree = makeDir();
  const places: string[] = [];
  const toolbox = createToolboxes(dir => {
    places.push(dir);
    return { command: 'serve', args: [dir], env: {} };
  });
  return { worktree, toolbox, getPlace: () => places.at(-1) ?? '' };
}

function call(server: McpServer, name: string, input: unknown): string | undefined {
  return server.local?.find(tool => tool.name === name)?.call(input);
}

describe('the toolbox', () => {
  test('hears the tools in this process and those over stdio alike', async () => {
    const { worktree, toolbox, getPlace } = open();
    const server = await toolbox.open(worktree, 'Task 7.');
    expect(server.local?.map(tool => tool.name)).toEqual([
      ...['orientation', 'checkpoint', 'record_decision', 'ask_human', 'save_handoff', 'claim_done'],
    ]);
    expect(call(server, 'orientation', {})).toBe('Task 7.');
    expect(call(server, 'record_decision', { text: 'here' })).toBe('Recorded.');
    writeFileSync(getEntriesPath(getPlace()), '{"type":"decision","text":"there"}\nno json\n{"type":"x"}\n');
    const said = await toolbox.read(worktree);
    expect(said).toEqual(['here', 'there'].map(text => ({ type: 'decision', text })));
    await toolbox.open(worktree, 'Task 8.');
    expect(await toolbox.read(worktree)).toEqual([]);
  });

  test('leaves out what is not in form and what is too much', async () => {
    const { worktree, toolbox } = open();
    const server = await toolbox.open(worktree, '');
    call(server, 'record_decision', { text: '' });
    for (let count = 0; count < 600; count++) call(server, 'record_decision', { text: `${count}` });
    expect(await toolbox.read(worktree)).toHaveLength(499);
  });

  test('tools in this process follow no link that the agent has put into its box', async () => {
    const { worktree, toolbox, getPlace } = open();
    const outside = join(makeDir(), 'outside.txt');
    writeFileSync(outside, '{"type":"claim","summary":"swordfish"}\n');
    const server = await toolbox.open(worktree, 'Task 7.');
    for (const path of [getEntriesPath(getPlace()), getOrientationPath(getPlace())]) {
      rmSync(path);
      symlinkSync(outside, path);
    }
    expect(call(server, 'orientation', {})).toBe('Task 7.');
    call(server, 'claim_done', { summary: 'mine' });
    expect(await toolbox.read(worktree)).toEqual([{ type: 'claim', summary: 'mine' }]);
    await toolbox.open(worktree, 'Task 8.');
    expect(readFileSync(outside, 'utf8')).toBe('{"type":"claim","summary":"swordfish"}\n');
    expect(readFileSync(getOrientationPath(getPlace()), 'utf8')).toBe('Task 8.');
  });

  test('is not laid out behind a link', async () => {
    const { worktree, toolbox } = open();
    const outside = makeDir();
    symlinkSync(outside, join(worktree, '.git'));
    await expect(toolbox.open(worktree, '')).rejects.toThrow('is not the folder');
    expect(existsSync(join(outside, 'harness-tools'))).toBe(false);
    rmSync(join(worktree, '.git'));
    mkdirSync(join(worktree, '.git'));
    symlinkSync(outside, join(worktree, '.git', 'harness-tools'));
    await toolbox.open(worktree, '');
    expect(existsSync(join(outside, 'entries.jsonl'))).toBe(false);
  });
});

test('an agent that put a file in the place of its git directory has said nothing', async () => {
  const { worktree, toolbox } = open();
  writeFileSync(join(worktree, '.git'), 'gone');
  expect(await toolbox.read(worktree)).toEqual([]);
});
