import { describe, expect, it } from 'vitest';
import { readAddress } from './address.ts';
import { getStoreSecrets, withoutStoreLogins } from './login.ts';

const SECRET = 'p@ss/w:rd%4711';
const WRITTEN = encodeURIComponent(SECRET);

describe('the address in a URL', () => {
  it.each([
    ['postgres://me:x@db.host/records', 'postgres://me@db.host:5432/records'],
    ['postgresql://me@db.host:6432/records?sslmode=require', 'postgres://me@db.host:6432/records'],
    ['postgres://db.host', 'postgres://db.host:5432/postgres'],
    ['postgres://me@/records?host=/run/postgresql', 'postgres://me@/run/postgresql/records'],
  ])('%s is shown as %s', (url, where) => {
    expect(readAddress(url).where).toBe(where);
  });

  it('has its password as it was meant', () => {
    expect(readAddress(`postgres://me:${WRITTEN}@h/d`)).toMatchObject({
      user: 'me',
      password: SECRET,
      database: 'd',
    });
  });

  it.each([
    'mysql://a:secret@h/d',
    'not a url secret',
    'postgres://a:sec%zzret@h/d',
    'postgres://a:secret@one:1,two:2/d',
    'postgres:/a:secret@h/d',
    'postgres:a:secret@h/d',
    'postgres://a/secret@h:1/d',
    'postgres://a:sec/ret@h/d',
    'postgres://a:sec#ret@h/d',
    'postgres://h/d#secret',
  ])('is refused without being repeated: %s', url => {
    expect(() => readAddress(url)).toThrow('store.url is no address');
    expect(() => readAddress(url)).not.toThrow(/sec/);
  });

  it.each(['password', 'user'])('is refused with ?%s=, which nothing reads', name => {
    const url = `postgres://h/d?${name}=secret`;
    expect(() => readAddress(url)).toThrow(`?${name}= in store.url is not read`);
    expect(() => readAddress(url)).not.toThrow(/secret/);
  });

  it.each([
    ['', 'name and chain'],
    ['?sslmode=require', 'name and chain'],
    ['?sslmode=prefer', 'name and chain'],
    ['?sslmode=verify-ca', 'chain'],
    ['?sslmode=disable', 'off'],
    ['?host=/tmp', 'socket'],
  ])('with %s has TLS: %s', (query, tls) => {
    const address = readAddress(`postgres://me@h/d${query}`);
    expect(address.tls).toBe(tls);
    if (tls.includes('chain')) expect(address.ssl).toMatchObject({ rejectUnauthorized: true });
    else expect(address.ssl).toBe(false);
  });
});

describe('the login of the store', () => {
  const url = `postgres://me:${WRITTEN}@h/d`;

  it('is known in every way it may be written', () => {
    expect(getStoreSecrets(url)).toEqual([url, SECRET, WRITTEN]);
    expect(getStoreSecrets('postgres://me@h/d')).toEqual([]);
    expect(getStoreSecrets(null)).toEqual([]);
  });

  it('is given to nobody under any name', () => {
    const env = {
      HARNESS_STORE_URL: url,
      A: url,
      B: SECRET,
      C: `x ${WRITTEN}`,
      D: 'other',
      PGPASSWORD: 'theirs',
    };
    const names = Object.keys(env);
    expect(withoutStoreLogins(names, env, url)).toEqual(['D', 'PGPASSWORD']);
    expect(withoutStoreLogins(names, env, 'postgres://me@h/d')).toEqual(['A', 'B', 'C', 'D']);
    expect(withoutStoreLogins(names, env, null)).toEqual(['A', 'B', 'C', 'D', 'PGPASSWORD']);
  });
});
