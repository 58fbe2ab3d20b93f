import { describe, expect, it } from 'vitest';
import { findSecrets, isKeyContainer } from './secrets.ts';

/** Put together here, so that this file holds none. */
const put = (...parts: readonly string[]) => parts.join('');
const SHORT = put('x7Kq2mWv', '9TzR4b');
const HEX = put('9b1c04e7d25fa386', '70b9ce1f52d8a43b');
const VARIABLE = put('$', '{DB_PASSWORD_2}');
const LONG = put('9drTJvcXLB89EXpM/zLq7', 'Kfbt2Rw5bZ0+Qy1dGh4UaX0=');
const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
const token = (payload: object) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.${SHORT}${HEX}`;
const PUTTY = put('PuTTY-User-', 'Key-File-3: ssh-ed25519\n');

describe('findSecrets', () => {
  it.each([
    ['.env', `DB_PASSWORD=${SHORT}\n`],
    ['.env with a comment', `export API_KEY=${LONG} # live\n`],
    ['.ini', `[db]\npassword = ${SHORT}\n`],
    ['.properties', `spring.datasource.password=${SHORT}!\r\n`],
    ['YAML', `db:\n  password: ${SHORT}\n`],
    ['a key in hexadecimal', `SECRET_KEY=${HEX}${HEX}\n`],
    ['a value that has the word in it', `TOKEN=live_secret_${LONG}\n`],
    ['a signing key', `JWT_SIGNING_KEY=${LONG}\n`],
    ['an address in a network', `postgres://shop:${SHORT}@db:5432/x`],
    ['an address without a user', `redis://:${SHORT}@cache:6379`],
    ['an address in the world', `amqp://app:${SHORT}@mq.shop.io`],
    ['a web token', `Authorization: Bearer ${token({ sub: 'shop', admin: true })}\n`],
    ['a key of PuTTY', `${PUTTY}Encryption: none\n`],
    ['a key of PuTTY in a text', `const k = \`\n${PUTTY}Private-Lines: 1\n`],
  ])('finds one in %s', (_, text) => {
    expect(findSecrets(text)).toHaveLength(1);
  });

  it.each([
    ['a variable', `DB_PASSWORD=${VARIABLE}\npassword: $DB_PASSWORD_2\ntoken: {{ vault.Token1 }}\n`],
    ['a word', 'DB_PASSWORD=changeme123\npassword: MyPassword2024\nDB_PASS=P4ssw0rd2024\n'],
    ['a name in code', 'token = base64UrlEncodedSha256Digest\nsecret = sha256_hmac1_v2\n'],
    ['an id', 'token: 3f2504e0-4f89-41d3-9a0c-0305e82c3301\n'],
    ['a path', 'credentials: config/credentials/production2024.yml.enc\nsecret: ./keys/Ab12Cd34/x\n'],
    ['a name of a secret', 'secretName: arn:aws:secretsmanager:eu-1:123456789012:secret:prod/db-AbC1dE\n'],
    ['a hash', `password_sha256: ${HEX}${HEX}\nsecret: app@sha256:${HEX}${HEX}\n`],
    ['a time', 'token_expires: 2026-01-15T10:20:30Z\n'],
    ['a version', 'tokenizers=0.13.3=py311h1b04a43_0\ntoken_model: gpt-4o-2026-08-06\n'],
    ['what a vault has sealed', `password: ENC[AES256_GCM,data:${LONG},type:str]\n`],
    ['a word in an address', 'postgres://user:password@localhost:5432/x postgres://a:mysecretpassword@db/x'],
    ['a variable in an address', `postgres://shop:${VARIABLE}@db:5432/x`],
    ['the token that documents show', token({ sub: '1234567890', name: 'John Doe' })],
    ['an object in base64', `${part({ name: 'alg' })}.${part({ a: 1 })}.${HEX}`],
    ['words about PuTTY', `A key begins with ${PUTTY} and then lines.\n`],
    ['a request to an example', `GET https://api.example.com/?access_token=${SHORT}\n`],
  ])('takes %s for none', (_, text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe('isKeyContainer', () => {
  const read = (...bytes: readonly number[]) => Buffer.from(bytes).toString();
  it('knows PKCS#12 by its version, and no certificate', () => {
    expect(isKeyContainer(read(0x30, 0x82, 0x09, 0xcf, 2, 1, 3, 0x30, 0x82))).toBe(true);
    expect(isKeyContainer(read(0x30, 0x80, 2, 1, 3, 0x30, 0x80))).toBe(true);
    expect(isKeyContainer(read(0x30, 0x82, 0x03, 0x05, 0x30, 0x82, 0x01))).toBe(false);
    expect(isKeyContainer(read(0x30, 0x82, 0x04, 0xa3, 2, 1, 0, 0x30, 0x0d))).toBe(false);
    expect(isKeyContainer('0 \x02\x01\x030')).toBe(false);
  });
});
