import { expect, test } from 'vitest';
import { getAcpPermission, NEW_TOOL_CALL } from './tools.ts';

const OPTIONS = [
  { optionId: 'always', kind: 'allow_always' },
  { optionId: 'yes', kind: 'allow_once' },
  { optionId: 'no', kind: 'reject_once' },
];

test.each([
  ['exec', 'edit', 'yes'],
  ['exec', 'execute', 'yes'],
  ['exec', undefined, 'yes'],
  ['review', 'read', 'yes'],
  ['review', 'search', 'yes'],
  ['review', 'edit', 'no'],
  ['review', 'delete', 'no'],
  ['review', 'execute', 'no'],
  ['review', 'fetch', 'no'],
  ['review', undefined, 'no'],
  ['complete', 'edit', 'no'],
] as const)('in %s a tool of kind %s gets %s', (mode, kind, optionId) => {
  const params = { toolCall: { kind }, options: OPTIONS };
  expect(getAcpPermission(params, { mode })).toEqual({ outcome: { outcome: 'selected', optionId } });
});

test.each([null, {}, { options: 7 }, { options: [{ kind: 'allow_once', optionId: 'yes' }] }])(
  'a question that cannot be refused by its options is cancelled: %o',
  params => {
    expect(getAcpPermission(params, { mode: 'review' })).toEqual({ outcome: { outcome: 'cancelled' } });
  },
);

const refuse = (command: string) => (command.includes('sudo') ? 'Refused: no.' : null);

test.each([
  ['its own words', { rawInput: { command: 'sudo ls' } }, 'sudo ls'],
  ['words in a list', { rawInput: { command: ['bash', '-lc', 'sudo ls'] } }, 'sudo ls'],
  ['a list that needs quotes', { rawInput: { command: ['sudo', 'a b'] } }, "sudo 'a b'"],
  ['a shell around it', { rawInput: { command: "/bin/bash -lc 'sudo ls'" } }, 'sudo ls'],
  ['no kind at all', { kind: undefined, rawInput: { command: 'sudo ls' } }, 'sudo ls'],
  ['a title only', { title: 'sudo ls' }, 'sudo ls'],
  ['what was told of it before', { toolCallId: 'told' }, 'sudo make'],
])('a command that the policy refuses is rejected, known by %s', (_, asked, line) => {
  const refused: string[] = [];
  const lastTurn = { ...NEW_TOOL_CALL, kind: 'execute', rawInput: { command: 'sudo make' } };
  const answer = getAcpPermission(
    { toolCall: { kind: 'execute', ...asked }, options: OPTIONS },
    {
      ...{ mode: 'exec', refuse },
      findCall: id => (id === 'told' ? lastTurn : undefined),
      onRefused: (reason, command) => refused.push(`${reason} ${command}`),
    },
  );
  expect(answer).toEqual({ outcome: { outcome: 'selected', optionId: 'no' } });
  expect(refused).toEqual([`Refused: no. ${line}`]);
});

test.each([
  ['a command that nobody minds', { kind: 'execute', rawInput: { command: 'make' } }],
  ['an edit that speaks of one', { kind: 'edit', title: 'sudo', rawInput: { path: 'sudo.md' } }],
])('%s goes on', (_, toolCall) => {
  const answer = getAcpPermission({ toolCall, options: OPTIONS }, { mode: 'exec', refuse });
  expect(answer).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
});
