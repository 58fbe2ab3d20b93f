import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROVIDERS } from '../../adapters/agents/providers.ts';
import { PROVIDER_FACTS } from '../../core/model/provider.ts';
import { checkSdk } from './agents.ts';

const { claude } = PROVIDERS;
const { sdk } = PROVIDER_FACTS.claude;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'harness-sdk-'));
  vi.stubEnv('HARNESS_AGENT_MODULES', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function install(version: string): void {
  const dir = join(root, 'node_modules', sdk.packageName);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: sdk.packageName, version, main: 'x.js' }));
  writeFileSync(join(dir, 'x.js'), '');
}

describe('doctor on an agent’s SDK', () => {
  it.each(['claude', 'codex', 'acp'] as const)('says how to install %s', provider => {
    const { packageName, version } = PROVIDER_FACTS[provider].sdk;
    expect(checkSdk(PROVIDERS[provider], root, { HOME: root })).toMatchObject({
      status: 'fail',
      fix: `npm install --save-dev ${packageName}@${version}`,
    });
  });

  it.each([
    ['no login', {}, 'warn', 'no login was found'],
    ['a key', { ANTHROPIC_API_KEY: 'sk' }, 'ok', 'key from ANTHROPIC_API_KEY'],
  ])('sees %s', (_fact, env, status, words) => {
    install(sdk.version);
    const finding = checkSdk(claude, root, { HOME: root, ...env });
    expect(finding.status).toBe(status);
    expect(finding.detail).toContain(words);
  });

  it.each([
    ['started once', '{"numStartups":1}', 'warn'],
    ['logged in', '{"oauthAccount":{"emailAddress":"a@b.c"}}', 'ok'],
  ])('tells a Claude Code that was %s', (_fact, text, status) => {
    install(sdk.version);
    writeFileSync(join(root, '.claude.json'), text);
    expect(checkSdk(claude, root, { HOME: root }).status).toBe(status);
  });

  it('warns of a version that nobody has tested', () => {
    install('9.9.9');
    expect(checkSdk(claude, root, { HOME: root, ANTHROPIC_API_KEY: 'sk' })).toMatchObject({
      status: 'warn',
    });
  });
});
