import { expect, it } from 'vitest';
import { getEnvironmentNeeds } from './environment.ts';

const NEED = [{ name: 'KEY', line: 3 }];
const ask = (example: string | null, env = {}) => getEnvironmentNeeds(NEED, example, env)[0]?.status;

it.each<readonly [string, string]>([
  ['KEY=postgres://localhost/shop', 'set'],
  ['export KEY="two words"', 'set'],
  ["KEY='x' # note", 'set'],
  ['KEY=a # note', 'set'],
  ['OTHER=1\r\nKEY=1\r\n', 'set'],
  ['', 'missing'],
  ['#KEY=1', 'missing'],
  ['KEY2=1', 'missing'],
  ['KEY=', 'missing'],
  ['KEY=""', 'missing'],
  ['KEY= # fill in', 'missing'],
  ...[
    'changeme',
    'CHANGE_ME',
    'change-this',
    'todo',
    'TBD',
    'xxx',
    'XXXXXXXX',
    'fixme',
    '<key>',
    '...',
    'your-key-here',
  ].map(word => [`KEY=${word}`, 'missing'] as const),
])('%j leaves a variable %s', (text, status) => {
  expect(ask(text)).toBe(status);
});

it('a variable that is set where the question is asked need not be in a file that is committed', () => {
  expect(ask(null)).toBe('missing');
  expect(ask('KEY=changeme', { KEY: 'secret' })).toBe('set');
  expect(ask(null, { KEY: 'changeme' })).toBe('missing');
});
