import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';

const NASTY = '<script>alert(1)</script> & "Thing" 1';

it('tells the same night to a terminal, as Markdown, as a page and as JSON', async () => {
  const features = FEATURES.map(one => (one.id === 1 ? { ...one, description: NASTY } : one));
  const dir = makeProject({ 'features.json': getBacklog(features) });
  await runCli(dir, ['run', '--all']);
  const data = await runJson<Record<string, { task: string }[]>>(dir, ['report']);
  expect(data.proven?.map(one => one.task)).toEqual(['1', '2']);
  expect(data.rejected?.every(one => one.task === '3')).toBe(true);
  expect(data.waiting?.map(one => one.task)).toEqual(['3']);
  const { stdout } = await runCli(dir, ['report', '--since', '1h']);
  expect(stdout).toMatch(/^sample: .* to /);
  expect(stdout).not.toMatch(/^#|\*\*|`/m);
  const { code } = await runCli(dir, ['report', '--md', 'r.md', '--html', 'r.html']);
  expect(code).toBe(0);
  expect(readFileSync(join(dir, 'r.md'), 'utf8')).toContain('## Waiting for you');
  const page = readFileSync(join(dir, 'r.html'), 'utf8');
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toMatch(/src=|href=|@import|url\(/);
});
