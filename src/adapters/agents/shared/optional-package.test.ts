import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import { findPackage, loadPackage } from './optional-package.ts';

const makeDir = useTempDir();
const { sdk } = PROVIDER_FACTS.claude;
const modules = process.env.HARNESS_AGENT_MODULES;

describe('looking for an SDK', () => {
  afterEach(() => {
    process.env.HARNESS_AGENT_MODULES = modules ?? '';
  });

  test('finds the one of the project, also from a folder below', async () => {
    const root = makeDir();
    install(root, '1.0.0');
    const below = join(root, 'packages', 'a');
    mkdirSync(below, { recursive: true });
    expect(findPackage(sdk, below)).toMatchObject({ version: '1.0.0' });
    expect(await loadPackage<{ version: string }>(sdk, below)).toMatchObject({ version: '1.0.0' });
  });

  test('looks where HARNESS_AGENT_MODULES points when the project has none', () => {
    const other = makeDir();
    install(other, '2.0.0');
    process.env.HARNESS_AGENT_MODULES = other;
    expect(findPackage(sdk, makeDir())).toMatchObject({ version: '2.0.0' });
  });

  test('a missing one is named together with the command that installs it', async () => {
    process.env.HARNESS_AGENT_MODULES = '';
    await expect(loadPackage(sdk, makeDir())).rejects.toMatchObject({
      code: 'config',
      message: 'The Claude Agent SDK is not installed.',
      details: { fix: `Run: npm install --save-dev @anthropic-ai/claude-agent-sdk@${sdk.version}` },
    });
  });
});

/** A package that can only be imported, as the real ones are. */
function install(root: string, version: string): void {
  const dir = join(root, 'node_modules', sdk.packageName);
  mkdirSync(dir, { recursive: true });
  const exports = { '.': { types: './main.d.ts', default: './main.mjs' } };
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ version, type: 'module', exports }));
  writeFileSync(join(dir, 'main.mjs'), `export const version = '${version}';`);
}
