import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeTempDir } from '../../../../test/support/git-fixture.ts';
import { refuseGiants } from './snapshot.ts';

const takeLong = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    void sleep(2_000).then(() => resolve('taken'));
    signal.addEventListener('abort', () => reject(signal.reason));
  });

it('ends a snapshot that would not end because of one file, and names it', async () => {
  const dir = makeTempDir();
  writeFileSync(join(dir, 'core.dump'), '');
  truncateSync(join(dir, 'core.dump'), 300 * 1024 ** 2);
  await expect(refuseGiants(dir, async () => ['core.dump'], takeLong, 1)).rejects.toMatchObject({
    code: 'unproven',
    details: { file: 'core.dump', fix: expect.stringContaining('remove core.dump') },
  });
});

it('lets a slow one go on when there is no such file', async () => {
  const dir = makeTempDir();
  writeFileSync(join(dir, 'small'), 'x');
  await expect(refuseGiants(dir, async () => ['small', 'gone'], takeLong, 1)).resolves.toBe('taken');
});

it('lets one go on beside a large file that git would not take', async () => {
  const dir = makeTempDir();
  writeFileSync(join(dir, 'model'), '');
  truncateSync(join(dir, 'model'), 300 * 1024 ** 2);
  await expect(refuseGiants(dir, async () => [], takeLong, 1)).resolves.toBe('taken');
});
