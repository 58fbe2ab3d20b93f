import { chmodSync, lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeRepo, open, write } from '../support/git-fixture.ts';

const STRANGE: Readonly<Record<string, string | Buffer>> = {
  'crlf.txt': 'one\r\ntwo\r\n',
  'mixed.txt': 'one\r\ntwo\nthree',
  'binary.bin': Buffer.from([0, 1, 2, 255, 254, 13, 10, 0]),
  'empty.txt': '',
  'ident.txt': '$Id$\n',
  'utf16.txt': Buffer.from('hällo\r\n', 'utf16le'),
  'with space.txt': 'space\n',
  'ünï/côdé-日本.txt': 'unicode\n',
  'new\nline.txt': 'newline\n',
  'quote".txt': 'quote\n',
  'tab\there.txt': 'tab\n',
  ':(top)magic*.txt': 'magic\n',
  '-dash.txt': 'dash\n',
  'a.b/c': 'sorts before a/\n',
  'a/c': 'c\n',
};

const ATTRIBUTES = '*.txt text=auto eol=crlf ident filter=none working-tree-encoding=UTF-16\n*.bin text\n';

describe.each(['sha1', 'sha256'])('bytes, modes and names of a %s repository', async format => {
  const workspace = await open(
    makeRepo({ '.gitattributes': ATTRIBUTES, 'start.md': 'start\n' }, `--object-format=${format}`),
  );
  const tip = await workspace.tip();

  test('go from a slot through a commit to a pristine tree unchanged', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, STRANGE);
    write(dir, { 'run.sh': '#!/bin/sh\n' });
    chmodSync(join(dir, 'run.sh'), 0o755);
    symlinkSync('../outside', join(dir, 'link'));
    const { tree } = await workspace.snapshot(0);
    const commit = await workspace.commit({ tree, parent: tip.commit, message: 'Strange', atMs: 0 });
    const place = await workspace.pristine(0, tree);
    for (const [path, content] of Object.entries(STRANGE)) {
      expect(readFileSync(join(place.dir, path)).equals(Buffer.from(content)), path).toBe(true);
    }
    expect(readlinkSync(join(place.dir, 'link'))).toBe('../outside');
    expect(lstatSync(join(place.dir, 'run.sh')).mode & 0o111).toBe(0o111);
    const names = [...Object.keys(STRANGE), 'run.sh', 'link'];
    expect([...(await workspace.listFiles(commit))].sort()).toEqual(
      [...names, '.gitattributes', 'start.md'].sort(),
    );
    const changes = await workspace.changes(tip.commit, commit);
    expect(changes.map(change => change.path).sort()).toEqual(names.sort());
    expect(changes.find(change => change.path === 'run.sh')?.mode).toBe('100755');
    expect(changes.find(change => change.path === 'link')?.mode).toBe('120000');
  });

  test('are read back from a commit by any name', async () => {
    await workspace.prepare(0, tip.commit);
    const { tree } = await workspace.snapshot(0);
    const put = Object.entries(STRANGE).flatMap(([path, text]) =>
      typeof text === 'string' ? [{ path, text }] : [],
    );
    const made = await workspace.compose({ tree, put });
    for (const { path, text } of put) {
      expect(await workspace.readFile(made, path), path).toBe(text);
      expect(await workspace.blobId(made, path), path).toMatch(/^[0-9a-f]{40,64}$/);
    }
    expect(await workspace.readFile(made, './crlf.txt')).toBe('one\r\ntwo\r\n');
    for (const path of ['none.txt', 'no\nne.txt', 'a', '../x', '/etc/hosts', 'a/c/d']) {
      expect(await workspace.readFile(made, path), path).toBe(null);
    }
  });

  test('the same tree comes out whichever way it is made, and git finds nothing wrong', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    const texts = Object.entries(STRANGE).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    write(dir, Object.fromEntries(texts));
    const { tree } = await workspace.snapshot(0);
    const made = await workspace.compose({
      tree: tip.commit,
      put: texts.map(([path, text]) => ({ path, text })),
    });
    expect(made).toBe(tree);
    const emptied = await workspace.compose({
      tree,
      take: [{ from: tip.commit, paths: Object.keys(STRANGE) }],
    });
    expect(emptied).toBe(tip.tree);
    expect(git(dir, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });
});
