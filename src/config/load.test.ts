import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, parseConfig } from './load.ts';

describe('loadConfig', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'harness-config-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);

  it.each([
    ['.harness.yaml', 'project:\n  name: shop\nstateDir: ./state/\n'],
    ['.harness.yml', '\uFEFFproject: { name: shop }\npaths: { state_dir: state }\n'],
    [
      'harness.config.json',
      '{\n\t"$schema": "./s.json",\n\t"project": { "name": "shop" },\n\t"stateDir": "state"\n}\n',
    ],
    [
      'harness.config.ts',
      `import { basename } from 'node:path';\nconst name: string = basename('/x/shop');\nexport default { project: { name }, stateDir: 'state' } satisfies object;\n`,
    ],
  ])('reads %s into the same settings', async (file, text) => {
    write(file, text);
    const loaded = await loadConfig(root, {});
    expect(loaded.file).toBe(file);
    expect(loaded.config).toEqual(
      parseConfig('project: {name: shop}\npaths: {state_dir: state}', '.harness.yaml', {}),
    );
  });

  it('says how to get a configuration where there is none', async () => {
    await expect(loadConfig(root, {})).rejects.toMatchObject({
      code: 'config',
      details: { fix: expect.stringContaining('harness init') },
    });
  });

  it('refuses to choose between two configurations and names both', async () => {
    write('.harness.yaml', 'project: { name: a }');
    write('harness.config.json', '{ "project": { "name": "b" } }');
    await expect(loadConfig(root, {})).rejects.toThrow('.harness.yaml and harness.config.json');
  });

  it('reports a config program that fails, or exports the wrong thing, by its name', async () => {
    write('harness.config.ts', 'throw new Error("boom");\n');
    await expect(loadConfig(root, {})).rejects.toMatchObject({
      code: 'config',
      message: 'harness.config.ts failed when run: boom',
      details: { file: 'harness.config.ts' },
    });
    write('harness.config.ts', 'export default { project: { name: 3 } };\n');
    await expect(loadConfig(root, {})).rejects.toThrow('harness.config.ts: project.name must be');
  });

  it('reports a directory in the place of the file', async () => {
    await mkdir(join(root, '.harness.yaml'));
    await expect(loadConfig(root, {})).rejects.toMatchObject({
      code: 'config',
      details: { file: '.harness.yaml' },
    });
  });

  it('cannot read a program as text', () => {
    expect(() => parseConfig('export default {}', 'harness.config.ts', {})).toThrow('is a program');
  });
});
