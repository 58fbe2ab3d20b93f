import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** On a machine of its own: what was probed for another test is not known here. */
async function read(mode: 'auto' | 'off' | 'required') {
  vi.stubEnv('PATH', '/nonexistent');
  const { readContainment } = await import('./open-sandbox.ts');
  return readContainment(mode);
}

it('goes on with process containment where there is no bubblewrap, and says why', async () => {
  expect(await read('auto')).toEqual({
    level: 'process',
    reason: expect.stringMatching(/bubblewrap (is not installed|needs Linux)/),
    bwrap: null,
  });
});

it('starts nothing when the sandbox is required and there is none', async () => {
  await expect(read('required')).rejects.toMatchObject({
    code: 'environment',
    message: expect.stringContaining('sandbox.mode is "required", but bubblewrap'),
    details: { field: 'sandbox.mode', fix: expect.stringContaining('apt install bubblewrap') },
  });
});

it('uses none when it is switched off', async () => {
  expect(await read('off')).toMatchObject({ level: 'process', reason: 'sandbox.mode is "off"' });
});

it.each([
  [['claude'], ['claude']],
  [['scripted'], []],
  [
    ['claude', 'scripted', 'codex'],
    ['claude', 'codex'],
  ],
  [['codex', 'command'], expect.arrayContaining(['codex', 'claude', 'gemini'])],
])('lets in the logins that %s need, and no other', async (providers, homes) => {
  const { getHomes } = await import('./open-sandbox.ts');
  expect(getHomes(providers)).toEqual(homes);
});
