import { describe, expect, it } from 'vitest';
import { EXIT_CODES, type FailureCode, HarnessError } from './failure.ts';

describe('EXIT_CODES', () => {
  it.each<[FailureCode, number]>([
    ['usage', 2],
    ['config', 2],
    ['backlog', 2],
    ['repo', 2],
    ['state', 1],
    ['environment', 1],
    ['locked', 1],
    ['fenced', 1],
    ['internal', 1],
    ['cancelled', 3],
    ['auth', 4],
    ['unproven', 5],
    ['budget', 6],
    ['human', 7],
  ])('%s exits with %i', (code, exit) => {
    expect(EXIT_CODES[code]).toBe(exit);
  });

  it('has no failure that looks like success', () => {
    expect(Object.values(EXIT_CODES).every(exit => exit > 0 && exit < 126)).toBe(true);
    expect(Object.keys(EXIT_CODES)).toHaveLength(14);
  });
});

describe('HarnessError', () => {
  it('says what is wrong, where, and what to do', () => {
    const error = new HarnessError('config', 'no such runner', {
      file: 'a.yaml',
      field: 'runner',
      fix: 'name one',
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: 'config', message: 'no such runner', details: { fix: 'name one' } });
    expect(new HarnessError('state', 'x').details).toEqual({});
  });
});
