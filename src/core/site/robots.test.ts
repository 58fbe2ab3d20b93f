import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedByRobots, parseRobots } from './robots.ts';

const asks = (text: string, path: string) => isAllowedByRobots(parseRobots(text, 'harness-capture'), path);
const getRule = (rule: string) => `User-agent: *\n${rule}\n`;

describe('robots.txt', () => {
  it.each([
    ['Disallow: /', '/', false],
    ['Disallow:', '/', true],
    ['Disallow: /a', '/b', true],
    ['Disallow: /a', '/abc?d', false],
    ['Disallow: /*.pdf$', '/x/y.pdf', false],
    ['Disallow: /*.pdf$', '/x/y.pdf?z', true],
    ['Disallow: /a$', '/a', false],
    ['Disallow: /a$', '/ab', true],
    ['Disallow: /a*b*c', '/a1b2c3', false],
    ['Disallow: /a*b*c', '/a1c2b3', true],
    ['Disallow: /*?', '/a?b', false],
    ['Disallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['Allow: /a\nDisallow: /a/b', '/a/b/c', false],
    ['Disallow: /a\nAllow: /a', '/a', true],
    ['disALLOW : /a # all of it', '/a', false],
    ['Disallow: /%7ejoe', '/~joe/x', false],
    ['Disallow: /ä', '/%C3%A4', false],
    ['Disallow: /a%2fb', '/a/b', true],
  ])('%j and %s: %s', (rule, path, expected) => {
    expect(asks(getRule(rule), path)).toBe(expected);
  });

  it('speaks to whoever it names, and only else to everybody', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Harness-Capture\nUser-agent: other\nDisallow: /own';
    expect(asks(text, '/')).toBe(true);
    expect(asks(text, '/own')).toBe(false);
    expect(asks('User-agent: other\nDisallow: /', '/')).toBe(true);
    expect(asks('User-agent: harness-capture\n\nUser-agent: *\nDisallow: /', '/')).toBe(false);
  });

  it('may name somebody in several groups', () => {
    const text =
      'User-agent: harness-capture\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: harness-capture/1.0\nDisallow: /c';
    expect(['/a', '/b', '/c'].map(path => asks(text, path))).toEqual([false, true, false]);
  });

  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/') }).map(text => `/${text}`);
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*') }).map(text => `/${text}`);

  it('matches as a regular expression would', () => {
    fc.assert(
      fc.property(pattern, fc.boolean(), path, (text, isWhole, asked) => {
        const like = new RegExp(`^${text.replaceAll('*', '.*')}${isWhole ? '$' : ''}`);
        expect(asks(getRule(`Disallow: ${text}${isWhole ? '$' : ''}`), asked)).toBe(!like.test(asked));
      }),
    );
  });

  it('is read whatever it holds, and a path with many stars is answered', () => {
    const token = fc.constantFrom(
      'User-agent:',
      'Disallow:',
      '*',
      '$',
      '%',
      '%ff',
      '#',
      ':',
      '\n',
      '\ud800',
      ' /a',
    );
    fc.assert(
      fc.property(fc.string({ unit: token }), path, (text, asked) => {
        expect([true, false]).toContain(asks(text, asked));
      }),
    );
    expect(asks(getRule(`Disallow: /${'*a'.repeat(2_000)}$`), `/${'a'.repeat(1_999)}b`)).toBe(true);
    expect(asks(getRule(`Disallow:${' '.repeat(400_000)}/a`), '/a')).toBe(false);
  });
});
