import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../ports/index.ts';
import { getTypedCommand } from '../shared/tool-events.ts';
import { emitCodexItem } from './turn.ts';

test.each([
  ["/bin/bash -lc 'npm test'", 'npm test'],
  ["/usr/bin/zsh -c 'echo a && echo b'", 'echo a && echo b'],
  ['/bin/bash -lc "echo \'hi\'"', "echo 'hi'"],
  ["/bin/bash -lc 'echo '\"'\"'hi'\"'\"''", "echo 'hi'"],
  ['/bin/bash -lc ls', 'ls'],
  ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
  ["/bin/bash -lc 'never closed", "/bin/bash -lc 'never closed"],
  ['npm test', 'npm test'],
  ['', ''],
])('%s was typed as %s', (command, typed) => {
  expect(getTypedCommand(command)).toBe(typed);
});

describe('an item', () => {
  function getEvents(item: Readonly<Record<string, unknown>>): AgentEvent[] {
    const events: AgentEvent[] = [];
    emitCodexItem(item, '/work', event => events.push(event));
    return events;
  }

  test('of changed files names each of them as git would', () => {
    const changes = [
      { path: '/work/src/a.ts', kind: 'update' },
      { path: '/work/b.ts', kind: 'delete' },
      { path: '/etc/passwd', kind: 'add' },
    ];
    expect(getEvents({ type: 'file_change', status: 'completed', changes })).toEqual([
      { type: 'file', action: 'write', path: 'src/a.ts' },
      { type: 'file', action: 'delete', path: 'b.ts' },
      { type: 'file', action: 'write', path: '/etc/passwd' },
    ]);
  });

  test('of a change that was refused says nothing was changed', () => {
    const changes = [{ path: '/work/a.ts', kind: 'add' }];
    expect(getEvents({ type: 'file_change', status: 'failed', changes })).toEqual([]);
  });

  test.each([{}, { type: 'todo_list' }, { type: 'file_change', status: 'completed', changes: 7 }])(
    'that is not understood is left aside: %o',
    item => {
      expect(getEvents(item)).toEqual([]);
    },
  );
});
