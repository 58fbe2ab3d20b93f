import { expect, it } from 'vitest';
import { getHost, readAllowedHost, readSiteUrl } from './site-url.ts';

it.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  'chrome://gpu',
])('%s is not opened', text => {
  expect(readSiteUrl(text)).toMatch(/only http: and https:/);
});

it('neither is what has a name or a password in it, or is no URL', () => {
  expect(readSiteUrl('https://me@example.com')).toMatch(/name or password/);
  expect(readSiteUrl('https://:secret@example.com')).toMatch(/name or password/);
  expect(readSiteUrl('example')).toBe('it is no URL');
  expect(readSiteUrl('https://example.com/a?b')).toBeInstanceOf(URL);
});

it('a host in other letters or numbers is the same host', () => {
  expect(getHost(new URL('http://2130706433/'))).toBe('127.0.0.1');
  expect(getHost(new URL('http://0x7f.1/'))).toBe('127.0.0.1');
  expect(getHost(new URL('http://LocalHost./'))).toBe('localhost');
  expect(getHost(new URL('http://[::1]/'))).toBe('::1');
});

it('a host that is allowed is allowed for one port', () => {
  const url = new URL('http://localhost:3000/');
  expect(readAllowedHost('localhost', url)).toEqual({ host: 'localhost', port: 3000 });
  expect(readAllowedHost('localhost:80', url)).toEqual({ host: 'localhost', port: 80 });
  expect(readAllowedHost('[::1]:8080', url)).toEqual({ host: '::1', port: 8080 });
  expect(readAllowedHost('[::1]', url)).toEqual({ host: '::1', port: 3000 });
  for (const odd of ['', 'http://localhost', 'a b', 'me@host', 'host/path', '*']) {
    const read = readAllowedHost(odd, url);
    expect(read === null || read.host === '*').toBe(true);
  }
});
