import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import type { Files } from '../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { createRedactor } from '../core/base/redact.ts';
import { DEFAULT_GATES } from '../core/model/gates.ts';
import { diff } from './diff.ts';

async function check(
  added: Files,
  given: CheckCase & { readonly was?: Files; readonly wasMode?: string } = {},
) {
  const base = { ...BASE, ...given.was };
  const { ctx } = await createCheckContext({
    ...given,
    base,
    candidate: { ...HEALTHY, ...given.was, ...added },
  });
  const changes = ctx.changes.map(change => ({
    ...change,
    ...(given.modes?.[change.path] ? { wasMode: given.wasMode ?? '100644' } : {}),
  }));
  return diff({ ...ctx, changes });
}

/** Put together here, so that this file holds none. */
const key = (...parts: readonly string[]) => parts.join('');
const AWS = key('AKIA', '2E0A8F3B244C9986');
const GITHUB = key('ghp_', 'x7Kq2mWv9TzR4bNc8LpYd3HsJf6GaE1uQo5X');
const RANDOM = key('9drTJvcXLB89EXpM', 'zLq7Kfbt2Rw5bZ0Qy1dGh4Ua');
const PEM = (body: string) =>
  key('-----BEGIN RSA PRIVATE', ` KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\n`);
const read = (...bytes: readonly number[]) => Buffer.from(bytes).toString();
const BODY = 'MIIEpAIBAAKCAQEA1c7Kq2mWv9TzR4bNc8LpYd3HsJf6GaE1uQo5Xb2n';

describe('a value that the harness knows to be secret', () => {
  const VALUE = 'plain-looking-words-42';
  const withKnown = async (was: Files) => {
    const base = { ...BASE, ...was };
    const candidate = { ...HEALTHY, ...was, 'src/a.js': `send('${VALUE}');\n` };
    const { ctx } = await createCheckContext({ base, candidate });
    const mentions = async () => Object.values(was).some(text => text.includes(VALUE));
    const workspace = { ...ctx.ports.workspace, mentions };
    return diff({ ...ctx, ports: { ...ctx.ports, workspace, redact: createRedactor([VALUE]) } });
  };

  it('does not land, whatever it looks like, and is not told', async () => {
    const result = await withKnown({});
    expect(result).toMatchObject({ status: 'failed' });
    expect(result.findings.join()).toContain('src/a.js:1 holds a value that is kept secret on this machine');
    expect(JSON.stringify(result)).not.toContain(VALUE);
  });

  it('is none when the project has it in git already', async () => {
    expect(await withKnown({ 'config.txt': `name = ${VALUE}\n` })).toMatchObject({ status: 'passed' });
  });
});

it('names a folder that an installation has filled, once, and not one that the project keeps', async () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`web/dist/${at}.js`, `${at}\n`]));
  const result = await check(many);
  expect(result).toMatchObject({ status: 'failed' });
  expect(result.findings).toEqual([
    expect.stringContaining(
      'web/dist (501 new files) looks like installed dependencies or what a build makes',
    ),
  ]);
  expect(await check(many, { was: { 'web/dist/kept.js': 'kept\n' } })).toMatchObject({ status: 'passed' });
});

describe('what a change alone shows', () => {
  it('passes plain work', async () => {
    expect(await check({})).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each([
    ['a key of AWS', 'secrets', { 'src/a.js': `const id = '${AWS}';\n` }],
    ['a token of GitHub', 'secrets', { 'notes.txt': `curl -H "x: ${GITHUB}"\n` }],
    ['a secret beside its name', 'secrets', { 'src/a.js': `const secret = '${RANDOM}';\n` }],
    ['a secret in settings', 'secrets', { 'app.json': `{ "api_key": "${RANDOM}" }\n` }],
    ['a private key', 'secrets', { 'deploy.pem': PEM(BODY) }],
    [
      'a private key in one line',
      'secrets',
      { 'src/a.js': `const k = '${PEM(BODY).replaceAll('\n', '\\n')}';\n` },
    ],
    [
      'a password in an address',
      'secrets',
      { 'src/a.js': `connect('postgres://app:k${RANDOM.slice(0, 12)}@db.shop.io/x');\n` },
    ],
    ['a password in settings', 'secrets', { '.env': `DB_PASSWORD=${RANDOM.slice(0, 16)}\n` }],
    [
      'a password in an address of a network',
      'secrets',
      { 'up.yml': `url: postgres://shop:${RANDOM.slice(0, 16)}@db:5432/x\n` },
    ],
    [
      'a web token',
      'secrets',
      { 'src/a.js': `const t = '${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"shop"}')}.${RANDOM}';\n` },
    ],
    ['a container of keys', 'secrets', { 'a.p12': read(0x30, 0x82, 9, 0xcf, 2, 1, 3, 0x30, 0x82, 0) }],
    ['a key of PuTTY', 'secrets', { 'a.ppk': key('PuTTY-User-', 'Key-File-3: ssh-rsa\n') }],
    ['a secret in the notes', 'secrets', { [simPolicy.notesPath]: `password: ${RANDOM}\n` }],
    ['hidden text in the notes', 'hidden text', { [simPolicy.notesPath]: 'x \u202e y\n' }],
    ['an end of line in a comment', 'hidden text', { 'src/a.js': '// a\u2028b();\n' }],
    ['a return in a comment', 'hidden text', { 'src/a.js': '// a\rb();\n' }],
    ['a joiner in a name', 'hidden text', { 'src/a.js': 'const pri\u200dce = 1;\n' }],
    ['a name in two scripts', 'hidden text', { 'src/a.js': 'const discount\u0410 = 1;\n' }],
    ['a program', 'leftovers', { 'tool.exe': 'MZ\x90\0\x03\0' }],
    ['compiled Python', 'leftovers', { 'a.pyc': read(0xcb, 0x0d, 0x0d, 0x0a, 0, 0, 0, 0) }],
    ['a copy by a file manager', 'leftovers', { 'package copy.json': '{}' }],
    ['a copy in capitals', 'leftovers', { 'package.json.BAK': '{}' }],
    ['a report of coverage', 'leftovers', { 'coverage/lcov.info': 'TN:\n' }],
    ['a packed package', 'leftovers', { 'shop-1.0.0.tgz': 'x' }],
    ['an override of direction', 'hidden text', { 'src/a.js': 'x(); /* \u202e } \u2066if (a)\u2069 */\n' }],
    ['an isolate without an end', 'hidden text', { 'src/a.js': 'x("\u2066");\n' }],
    ['text in tags', 'hidden text', { 'README.md': `hello ${String.fromCodePoint(0xe0041, 0xe0042)}\n` }],
    ['a variable without a shape', 'hidden text', { 'src/a.js': 'const \u3164 = 1;\n' }],
    [
      'a merge left half done',
      'conflict markers',
      { 'src/a.js': '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n' },
    ],
    ['a file in other capitals', 'colliding paths', { 'Src/other': 'x' }],
    ['a file with another accent', 'colliding paths', { 'src/e\u0301.js': 'x', 'src/\u00e9.js': 'x' }],
    ['the swap file of an editor', 'leftovers', { 'src/.a.swp': 'b0VIM 8.2\0' }],
    ['a core dump', 'leftovers', { core: `\x7fELF${'\0'.repeat(12)}\x04\0` }],
    ['a copy beside the original', 'leftovers', { 'src/old.orig': 'x' }],
    ['installed packages', 'leftovers', { 'node_modules/x/index.js': 'x' }],
    ['a huge file', 'leftovers', { 'dump.sql': 'x'.repeat(6 * 1024 ** 2) }],
  ])('refuses %s', async (_, gate, added) => {
    const result = await check(added);
    expect(result).toMatchObject({ status: 'failed', summary: expect.stringContaining(gate) });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${AWS}|${GITHUB}|${RANDOM}`));
  });

  it.each([
    'AGENTS.md',
    'packages/a/Claude.md',
    '.claude/settings.json',
    '.cursor/rules/x.mdc',
    '.github/copilot-instructions.md',
    '.mcp.json',
    '.codex/config.toml',
    'GEMINI.md',
    'QWEN.md',
    '.junie/guidelines.md',
    '.husky/pre-commit',
    '.envrc',
  ])('asks about %s, which tells agents what to do', async path => {
    expect(await check({ [path]: 'x' })).toMatchObject({ status: 'needs-human' });
    expect(await check({ [path]: 'x' }, { task: { mayChange: [path] } })).toMatchObject({ status: 'passed' });
  });

  it.each<[string, Files]>([
    ['an example of a key', { 'README.md': `id: ${key('AKIA', 'IOSFODNN7EXAMPLE')}\n` }],
    ['a key that was typed', { 'src/a.js': `const id = '${key('AKIA', '1234567890ABCDEF')}';\n` }],
    [
      'hashes',
      {
        'src/a.js': `const tokenHash = '${'0a9f'.repeat(16)}';\nconst integrity = 'sha512-${RANDOM}${RANDOM}==';\n`,
      },
    ],
    ['an id', { 'src/a.js': "const token = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';\n" }],
    ['a text in base64', { 'src/a.js': `const token = '${btoa('the quick brown fox 123 jumps')}';\n` }],
    ['a name put together', { 'src/a.js': "const tokenKey = 'shop-session-token-v2-production';\n" }],
    [
      'words about private keys',
      { 'docs/keys.md': `A file begins with ${key('-----BEGIN PRIVATE', ' KEY-----')} and then base64.\n` },
    ],
    [
      'an address without a secret',
      { 'src/a.js': "connect('postgres://user:password@localhost:5432/shop');\n" },
    ],
    [
      'a key read from outside',
      { 'src/a.js': "const secret = process.env.SHOP_SECRET_ACCESS_KEY_2 ?? '';\n" },
    ],
    ['a picture', { 'assets/logo.png': '\x89PNG\r\n\x1a\n\0\0\0\r' }],
    ['Hebrew in isolates', { 'src/he.json': '{ "a": "\u2068שלום\u2069" }\n' }],
    [
      'a flag of a region',
      {
        'README.md': `${String.fromCodePoint(0x1f3f4, 0xe0067, 0xe0062, 0xe0065, 0xe006e, 0xe0067, 0xe007f)}\n`,
      },
    ],
    ['settings without a secret', { '.env': 'DB_PASSWORD=changeme123\nTOKEN=$SHOP_TOKEN_2\n' }],
    ['names in another script', { 'src/a.js': 'const скидка = 1; // из JSONа\n' }],
    ['symbols of formulas', { 'src/a.py': 'Δt = 2 * π / ρw\n' }],
    ['lines that end in a return', { 'src/a.js': 'const a = 1;\r\n' }],
    ['a library', { 'prebuilt/a.dll': 'MZ\x90\0\x03\0' }],
    ['notes about the work', { [simPolicy.notesPath]: 'The token: read from the environment.\n<<<<<<< a\n' }],
    ['a document about agents', { 'docs/agents.md': 'x' }],
    ['family emojis', { 'README.md': '👩‍👩‍👧 ❤️\n' }],
    ['a heading underlined', { 'README.md': 'Shop\n=======\n' }],
    ['a name in another script', { 'docs/größe-尺.md': '# Größe\n' }],
  ])('lets %s be', async (_, added) => {
    expect(await check(added)).toMatchObject({ status: 'passed', findings: [] });
  });

  it('holds nobody to what was there before', async () => {
    const was = { 'src/a.js': `const id = '${AWS}';\n`, 'Docs/a': 'x', 'docs/b': 'x' };
    expect(
      await check({ 'src/a.js': `const id = '${AWS}';\nconst b = 1;\n`, 'docs/x': 'y' }, { was }),
    ).toMatchObject({
      status: 'passed',
    });
  });

  it('only warns of what stands in a test', async () => {
    expect(await check({ 'test/keys': PEM(BODY) })).toMatchObject({ status: 'warned' });
  });

  it.each<[string, string, Files, Files]>([
    ['a text that became a program', 'leftovers', { 'bin/a': 'a\n' }, { 'bin/a': '\x7fELF\x02\x01\0\0' }],
    [
      'a file that became huge',
      'leftovers',
      { 'a.sql': 'x'.repeat(1024) },
      { 'a.sql': 'x'.repeat(6 * 1024 ** 2) },
    ],
  ])('refuses %s', async (_, gate, was, added) => {
    expect(await check(added, { was })).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(gate),
    });
  });

  it.each([
    ['@docs/style.md', 'docs/style.md', 'needs-human'],
    ['See [style](docs/style.md).', 'docs/style.md', 'passed'],
    ['@docs/index.md', 'docs/style.md', 'needs-human'],
    ['See docs/style.md.', 'docs/style.md', 'passed'],
    ['See [a](src/a.js).', 'src/a.js', 'passed'],
  ])('where AGENTS.md says %j, a changed %s is %s', async (text, path, status) => {
    const was = {
      'AGENTS.md': text,
      'docs/index.md': '@style.md',
      'docs/style.md': 'a\n',
      'src/a.js': '1;\n',
    };
    expect(await check({ [path]: '2;\n' }, { was })).toMatchObject({ status });
    expect(await check({ [path]: '2;\n' }, { was, task: { mayChange: [path] } })).toMatchObject({
      status: 'passed',
    });
  });

  it.each([
    ['loses its first line', 'echo\n', 'failed'],
    ['has a return in it', '#!/bin/sh\r\necho\n', 'failed'],
    ['changes below it', '#!/bin/sh\necho 2\n', 'passed'],
  ])('a program that %s: %j is %s', async (_, text, status) => {
    const given = {
      was: { 'ops/up': '#!/bin/sh\necho\n' },
      modes: { 'ops/up': '100755' },
      wasMode: '100755',
    };
    expect(await check({ 'ops/up': text }, given)).toMatchObject({ status });
  });

  it.each([
    ['a program without #!', 'rates', 'failed'],
    ['a script', '#!/bin/sh\necho\n', 'passed'],
  ])('%s that is made one: %s', async (_, text, status) => {
    const modes = { 'data/rates': '100755' };
    expect(await check({ 'data/rates': text }, { was: { 'data/rates': 'x' }, modes })).toMatchObject({
      status,
    });
  });

  it.each([
    ['ask', 'needs-human'],
    ['warn', 'warned'],
    ['off', 'passed'],
  ] as const)('does as gates.secrets says: %s', async (secrets, status) => {
    const policy = { gates: { ...DEFAULT_GATES, secrets } };
    expect(await check({ 'src/a.js': `const id = '${AWS}';\n` }, { policy })).toMatchObject({ status });
  });
});
