import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AGENT_KITS } from '../../adapters/agents/shared/agent-kit.ts';
import { checkKit } from './kits.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'harness-kit-'));
  vi.stubEnv('HARNESS_AGENT_MODULES', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function install(provider: keyof typeof AGENT_KITS, version: string): void {
  const dir = join(root, 'node_modules', AGENT_KITS[provider].packageName);
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ name: AGENT_KITS[provider].packageName, version, main: 'x.js' }),
  );
  writeFileSync(join(dir, 'x.js'), '');
}

describe('doctor on an agent kit', () => {
  it.each(['claude', 'codex', 'acp'] as const)('says how to install %s', provider => {
    expect(checkKit(provider, root, { HOME: root })).toMatchObject({
      status: 'fail',
      fix: `npm install --save-dev ${AGENT_KITS[provider].packageName}@${AGENT_KITS[provider].version}`,
    });
  });

  it.each([
    ['no login', {}, 'warn', 'no login was found'],
    ['a key', { ANTHROPIC_API_KEY: 'sk' }, 'ok', 'key from ANTHROPIC_API_KEY'],
  ])('sees %s', (_fact, env, status, words) => {
    install('claude', AGENT_KITS.claude.version);
    const finding = checkKit('claude', root, { HOME: root, ...env });
    expect(finding.status).toBe(status);
    expect(finding.detail).toContain(words);
  });

  it.each([
    ['started once', '{"numStartups":1}', 'warn'],
    ['logged in', '{"oauthAccount":{"emailAddress":"a@b.c"}}', 'ok'],
  ])('tells a Claude Code that was %s', (_fact, text, status) => {
    install('claude', AGENT_KITS.claude.version);
    writeFileSync(join(root, '.claude.json'), text);
    expect(checkKit('claude', root, { HOME: root }).status).toBe(status);
  });

  it('warns of a version that nobody has tested', () => {
    install('claude', '9.9.9');
    expect(checkKit('claude', root, { HOME: root, ANTHROPIC_API_KEY: 'sk' })).toMatchObject({
      status: 'warn',
    });
  });
});
