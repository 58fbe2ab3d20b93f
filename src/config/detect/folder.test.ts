import { describe, expect, it } from 'vitest';
import type { RepoReader } from './detection.ts';
import { detectAround } from './folder.ts';

const APP = JSON.stringify({ name: 'app', scripts: { test: 'node --test' }, devDependencies: { a: '1' } });

function open(files: Readonly<Record<string, string>>): RepoReader {
  return { listFiles: async () => Object.keys(files), readFile: async path => files[path] ?? null };
}

const detect = (files: Readonly<Record<string, string>>, from = '') =>
  detectAround('/repo', from, open(files));

describe('a project in a folder of the repository', () => {
  it('is found where somebody stands, with commands that go there', async () => {
    const files = { 'web/package.json': APP, 'web/package-lock.json': '{}', 'api/package.json': APP };
    expect(await detect(files, 'web/src')).toMatchObject({
      name: 'app',
      full: 'cd web && node --test',
      install: 'cd web && npm ci',
    });
  });

  it('is found from the root when it is the only one', async () => {
    const files = { 'README.md': '', 'my app/package.json': APP, 'docs/a.md': '' };
    expect((await detect(files)).full).toBe("cd 'my app' && node --test");
    expect((await detect({ 'apps/web/package.json': APP })).full).toBe('cd apps/web && node --test');
  });

  it('is not chosen among several, which are named', async () => {
    const found = await detect({ 'web/package.json': APP, 'api/package.json': APP });
    expect(found.full).toBeNull();
    expect(found.notes.join()).toContain('`cd web && node --test`, `cd api && node --test`');
  });

  it('is left aside where the root itself can be tested', async () => {
    expect((await detect({ 'package.json': APP, 'web/package.json': APP }, 'web')).full).toBe('node --test');
  });
});
