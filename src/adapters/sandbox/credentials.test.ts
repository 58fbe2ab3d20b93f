import { describe, expect, it } from 'vitest';
import { AGENT_HOMES, CREDENTIALS, getRegistryEnv, hasSecret, SETTINGS_WITH_SECRETS } from './credentials.ts';

describe('hasSecret', () => {
  it.each([
    '//registry.example/:_authToken=abc',
    '[http]\n\textraHeader = Authorization: Basic xyz',
    'export GITHUB_TOKEN=ghp_abcdef',
    'url = https://ada:pw@git.example/x.git',
    'export AWS_SECRET_ACCESS_KEY=abc',
    'index-url = https://ada:pw@pypi.example/simple',
    'mavenPassword=abc',
    'export OPENAI_API_KEY=sk-abc',
  ])('sees one in %j', text => expect(hasSecret(text)).toBe(true));

  it.each([
    'registry=https://registry.example/',
    '[user]\n\tname = Ada\n\temail = ada@example.org',
    'alias ll="ls -l"\nexport PATH="$HOME/bin:$PATH"',
    'git@github.com:acme/shop.git',
    'https://example.org:8080/path',
  ])('sees none in %j', text => expect(hasSecret(text)).toBe(false));
});

it('keeps the registries of hidden npm settings, without what was secret beside them', () => {
  const text =
    'registry = https://r.example/\n@acme:registry=https://a.example/\n//r.example/:_authToken=x\n@b:registry=https://u:p@b.example/\n';
  expect(getRegistryEnv(text)).toEqual({
    npm_config_registry: 'https://r.example/',
    'npm_config_@acme:registry': 'https://a.example/',
  });
});

it('names every place once and below the home folder', () => {
  const agents = Object.values(AGENT_HOMES).flatMap(home => [...home.folders, ...home.copied]);
  const names = [...CREDENTIALS, ...SETTINGS_WITH_SECRETS, ...agents];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter(name => name.startsWith('/') || name.includes('..'))).toEqual([]);
});

it('lets an agent write neither its own settings nor the folder they would be in', () => {
  for (const { folders, writable } of Object.values(AGENT_HOMES)) {
    const settings = ['settings.json', 'settings.local.json', 'config.toml', 'hooks', 'CLAUDE.md', 'plugins'];
    expect(writable.filter(path => settings.some(name => path.endsWith(name)))).toEqual([]);
    expect(writable.filter(path => folders.includes(path) && path.startsWith('.claude'))).toEqual([]);
  }
});
