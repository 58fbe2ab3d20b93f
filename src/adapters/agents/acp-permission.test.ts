import { expect, test } from 'vitest';
import { getAcpPermission } from './acp-permission.ts';

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
  expect(getAcpPermission(params, mode)).toEqual({ outcome: { outcome: 'selected', optionId } });
});

test.each([null, {}, { options: 7 }, { options: [{ kind: 'allow_once', optionId: 'yes' }] }])(
  'a question that cannot be refused by its options is cancelled: %o',
  params => {
    expect(getAcpPermission(params, 'review')).toEqual({ outcome: { outcome: 'cancelled' } });
  },
);
