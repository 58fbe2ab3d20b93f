import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, getSecretValues, redactAll, redactTexts } from './redact.ts';

describe('redaction', () => {
  it.each([
    ['an Anthropic key', 'sk-ant-api03-abcdefghijklmnop1234'],
    ['an OpenAI key', 'sk-proj-abcdefghijklmnopqrstuv'],
    ['a GitHub token', 'ghp_abcdefghijklmnopqrstuvwxyz012345'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'],
    ['a password in a URL', 'hunter2hunter2', 'postgres://app:hunter2hunter2@db/x'],
    ['a bearer token', 'abcdefghijklmnopqrstuvwx', 'Authorization: Bearer abcdefghijklmnopqrstuvwx'],
    [
      'a private key',
      'MIIEpAIBAAKCAQEA',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
    ],
  ])('knows the shape of %s', (_name, secret, text = `before ${secret} after`) => {
    const clean = createRedactor([])(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('[redacted]');
  });

  it('takes a token out of the base64 of a login, whoever the user is', () => {
    const token = 'vr9-tangerine-0042-harbour';
    const redact = createRedactor([token]);
    for (const user of ['', 'a', 'ab', 'abc', 'x-access-token', 'ada@example.org']) {
      const login = Buffer.from(`${user}:${token}`).toString('base64');
      const decoded = Buffer.from(redact(`Basic ${login}`).slice('Basic '.length), 'base64').toString();
      expect(decoded).not.toContain('tangerine');
    }
  });

  it('takes out every known value wherever it stands, also as JSON and in a URL', () => {
    const secrets = fc.string({ unit: fc.constantFrom(...'pqrstuvwxyz"\\/ %'), minLength: 8, maxLength: 40 });
    const around = fc.string({ unit: fc.constantFrom(...'0123456789\n') });
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const redact = createRedactor([secret]);
        expect(redact(`${before}${secret}${after}`)).toBe(`${before}[redacted]${after}`);
        expect(redact(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}');
        expect(redact(`?q=${encodeURIComponent(secret)}`)).toBe('?q=[redacted]');
      }),
    );
  });

  it.each<[string, (value: string) => string]>([
    ['base64', value => Buffer.from(value).toString('base64')],
    ['base64 of a line', value => Buffer.from(`${value}\n`).toString('base64')],
    ['base64 of more than the value', value => Buffer.from(`${value} and more`).toString('base64')],
    ['base64 for addresses', value => Buffer.from(value).toString('base64url')],
    ['hex', value => Buffer.from(value).toString('hex')],
  ])('knows a value in %s', (_, encode) => {
    for (const value of ['correct-horse', 'correct-horse1', 'correct-horse?>'])
      expect(createRedactor([value])(`seen: ${encode(value)}`)).toMatch(/^seen: \[redacted\].{0,16}$/);
  });

  it('leaves ordinary text alone', () => {
    const text =
      'task 12: 3 tests pass, see src/auth/token.ts and commit 0123456789abcdef0123456789abcdef01234567';
    expect(createRedactor(['correct horse battery'])(text)).toBe(text);
  });

  it('finds secret values of an environment by their names', () => {
    const env = {
      API_KEY: 'abcdefgh12',
      PATH: '/usr/bin:/bin',
      GITHUB_TOKEN: 'tokentoken',
      SHORT_KEY: 'abc',
      EMPTY_TOKEN: undefined,
    };
    expect(getSecretValues(env)).toEqual(['abcdefgh12', 'tokentoken']);
  });

  it('cleans free text in events and leaves ids, paths and hashes', () => {
    const redact = createRedactor(['topsecret1']);
    const event = {
      type: 'x',
      task: 'topsecret1',
      dir: '/topsecret1',
      findings: ['a topsecret1', 'b'],
      checks: [{ summary: 'topsecret1', n: 1 }],
    };
    expect(redactTexts(event, redact)).toEqual({
      ...event,
      findings: ['a [redacted]', 'b'],
      checks: [{ summary: '[redacted]', n: 1 }],
    });
  });
});

describe('redacting everything', () => {
  it('leaves nothing that redacting it once more as JSON would change', () => {
    const redact = createRedactor(['hunter2\nhunter2']);
    const parts = fc.constantFrom(
      '://a:',
      'b\nc',
      'd@e',
      'hunter2\nhunter2',
      '-----BEGIN PRIVATE KEY-----',
      '"',
      ' ',
    );
    const text = fc.array(parts).map(found => found.join(''));
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), value => {
        const json = JSON.stringify(redactAll(value, redact), null, 2);
        expect(redact(json)).toBe(json);
      }),
    );
  });
});
