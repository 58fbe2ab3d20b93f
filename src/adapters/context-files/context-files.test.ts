import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { createContextFiles } from './context-files.ts';

const makeDir = useTempDir();

function lay(files: Readonly<Record<string, string | Buffer>>) {
  const root = makeDir();
  Object.entries(files).forEach(([path, text], at) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), 1_000 + at, 1_000 + at);
  });
  const contextFiles = createContextFiles({ inbox: join(root, 'inbox'), contextDir: join(root, 'context') });
  return { root, contextFiles };
}

describe('what people leave', () => {
  it('is found by role, oldest first', async () => {
    const { contextFiles } = lay({
      'inbox/coding/b.md': 'second of coding',
      'context/coding.md': 'context',
      'inbox/a.md': 'for coders',
      'inbox/planner/p.md': 'for planners',
      'inbox/.a.md.1-2.tmp': 'half written',
      'inbox/processed/old.md': 'told before',
    });
    const names = async (roles: Parameters<typeof contextFiles.list>[0]) =>
      (await contextFiles.list(roles)).map(({ name }) => name);
    expect(await names(['coding'])).toEqual(['inbox/coding/b.md', 'context/coding.md', 'inbox/a.md']);
    expect(await names(['planner'])).toEqual(['inbox/planner/p.md']);
    expect(await names(['cleanup'])).toEqual([]);
    expect(await createContextFiles({ inbox: '/nowhere', contextDir: null }).list(['coding'])).toEqual([]);
  });

  it.each([
    ['is no text', Buffer.from([0xff, 0xfe, 0x00]), 'it is no text'],
    ['has a zero byte', 'a\0b', 'it is no text'],
    ['is empty', ' \n', 'it is empty'],
    ['is too large', 'x'.repeat(1024 * 1024 + 1), 'it is larger than 1024 KB'],
  ])('and %s is refused', async (_, content, problem) => {
    const { contextFiles } = lay({ 'inbox/a': content });
    expect(await contextFiles.list(['coding'])).toMatchObject([{ text: null, problem }]);
  });

  it('is not read through a link', async () => {
    const { root, contextFiles } = lay({ 'secret.txt': 'swordfish', 'inbox/a.md': 'fine' });
    symlinkSync(join(root, 'secret.txt'), join(root, 'inbox/b.md'));
    mkdirSync(join(root, 'context'));
    symlinkSync(join(root, 'secret.txt'), join(root, 'context/coding.md'));
    symlinkSync(root, join(root, 'inbox/cleanup'));
    expect((await contextFiles.list(['coding', 'cleanup'])).map(({ text }) => text)).toEqual(['fine']);
  });

  it('is put away with what became of it, as often as one likes; the project’s own folder stays', async () => {
    const { root, contextFiles } = lay({ 'inbox/a.md': 'fine', 'context/coding.md': 'kept' });
    for (const drop of await contextFiles.list(['coding'])) {
      await contextFiles.archive(drop, { became: 'whole', task: '1' });
      await contextFiles.archive(drop, { became: 'whole', task: '1' });
    }
    expect(existsSync(join(root, 'inbox/a.md'))).toBe(false);
    expect(readFileSync(join(root, 'context/coding.md'), 'utf8')).toBe('kept');
    const [file = '', record = ''] = readdirSync(join(root, 'inbox/processed')).sort();
    expect(readFileSync(join(root, 'inbox/processed', file), 'utf8')).toBe('fine');
    expect(JSON.parse(readFileSync(join(root, 'inbox/processed', record), 'utf8'))).toMatchObject({
      name: 'inbox/a.md',
      became: 'whole',
      task: '1',
    });
  });
});
