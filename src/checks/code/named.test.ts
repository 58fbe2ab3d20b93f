import { describe, expect, it } from 'vitest';
import type { Files } from '../../../test/support/bench.ts';
import { check } from '../../../test/support/surface-case.ts';

const SCRIPTS = JSON.stringify({ scripts: { start: 'node server.js --port 80' }, files: ['extra.js'] });
const SERVER = { 'server.js': 'console.log(1);\n' };
const MAIL = {
  'templates/mail.html': '<p></p>\n',
  'src/mail.js': "export const read = fs => fs.read(new URL('../templates/mail.html', import.meta.url));\n",
};
const PYTHON = {
  'pyproject.toml': '[project.scripts]\nshop = "shop.cli:main"\n',
  'shop/cli.py': 'def main():\n    pass\n',
};

describe('what something that stays still names', () => {
  it.each<[string, string, string, Readonly<Record<string, string | null>>, Files]>([
    [
      'by a script',
      'failed',
      'server.js is gone',
      { 'server.js': null },
      { 'package.json': SCRIPTS, ...SERVER },
    ],
    [
      'by a list of package.json',
      'needs-human',
      'extra.js is gone',
      { 'extra.js': null },
      { 'package.json': SCRIPTS, 'extra.js': '1;\n' },
    ],
    [
      'by an inner import',
      'failed',
      'src/raw.js is gone',
      { 'src/raw.js': null },
      { 'package.json': '{ "imports": { "#raw": "./src/raw.js" } }', 'src/raw.js': 'export {};\n' },
    ],
    [
      'by a Dockerfile',
      'failed',
      'server.js is gone',
      { 'server.js': null },
      { Dockerfile: 'FROM node\nCMD ["node", "server.js"]\n', ...SERVER },
    ],
    [
      'by a Dockerfile that copies everything elsewhere',
      'failed',
      'server.js is gone',
      { 'server.js': null },
      { Dockerfile: 'FROM node\nCOPY . /app\nCMD node /app/server.js\n', ...SERVER },
    ],
    [
      'by a page',
      'failed',
      'public/app.js is gone',
      { 'public/app.js': null },
      { 'index.html': '<script src="public/app.js"></script>\n', 'public/app.js': '1;\n' },
    ],
    [
      'by a page from the root of its site',
      'failed',
      'public/app.js is gone',
      { 'public/app.js': null },
      { 'index.html': '<script src="/app.js?v=1"></script>\n', 'public/app.js': '1;\n' },
    ],
    [
      'by code that reads it',
      'needs-human',
      'templates/mail.html is gone',
      { 'templates/mail.html': null },
      MAIL,
    ],
    [
      'by code, part by part',
      'needs-human',
      'templates/mail.html is gone',
      { 'templates/mail.html': null },
      { ...MAIL, 'src/mail.js': "const at = join(__dirname, '..', 'templates', 'mail.html');\n" },
    ],
    [
      'by code that starts it',
      'failed',
      'src/count.worker.js is gone',
      { 'src/count.worker.js': null },
      {
        'src/count.worker.js': '1;\n',
        'src/count.js': "new Worker(new URL('./count.worker.js', import.meta.url));\n",
      },
    ],
    ['by a command of Python', 'failed', 'shop/cli.py is gone', { 'shop/cli.py': null }, PYTHON],
    [
      'by a command of Python whose function has another name',
      'failed',
      'shop/cli.py no longer has main',
      { 'shop/cli.py': 'def start():\n    pass\n' },
      PYTHON,
    ],
    [
      'by a pipeline',
      'needs-human',
      'server.js is gone',
      { 'server.js': null },
      {
        'ci/deploy.yml': 'run: node ./ops/../ci/server.js\n',
        'compose.yml': 'run: node server.js\n',
        ...SERVER,
      },
    ],
  ])('%s: %s', async (_, status, text, change, was) => {
    expect(await check(change, was)).toMatchObject({ status, summary: expect.stringContaining(text) });
  });

  it.each<[string, Readonly<Record<string, string | null>>, Files]>([
    [
      'what goes with its name',
      { 'server.js': null, 'package.json': '{ "scripts": { "start": "node src/old" } }' },
      { 'package.json': SCRIPTS, ...SERVER },
    ],
    [
      'what moved with its name',
      {
        'templates/mail.html': null,
        'views/mail.html': '<p></p>\n',
        'src/mail.js': MAIL['src/mail.js'].replace('templates', 'views'),
      },
      MAIL,
    ],
    [
      'prose, comments, backlogs and tests',
      { 'server.js': null },
      {
        'README.md': 'Run `node server.js`.\n',
        '.gitignore': 'server.js\n',
        'src/x.js': '// like server.js, but it did not\nexport {};\n',
        'ci.yml': '# server.js was here\na: 1 # and server.js\n',
        'test/old': 'assert old server.js',
        ...SERVER,
      },
    ],
    [
      'another file of that name',
      { 'server.js': null },
      {
        'a/package.json': '{ "scripts": { "start": "node server.js; node my-server.js server.js.map" } }',
        'a/server.js': '1;\n',
        'b/x.yml': 'run: node server.js\n',
        ...SERVER,
      },
    ],
    [
      'what something may be without',
      { 'src/fast.cjs': null },
      { 'src/fast.cjs': '1;\n', 'src/x.cjs': "try { require('./fast.cjs'); } catch {}\n" },
    ],
    [
      'what is written in another language now',
      { 'src/count.worker.js': null, 'src/count.worker.ts': '1;\n' },
      {
        'src/count.worker.js': '1;\n',
        'src/count.js': "new Worker(new URL('./count.worker.js', import.meta.url));\n",
      },
    ],
    [
      'a module that became a package',
      { 'shop/cli.py': null, 'shop/cli/__init__.py': 'def main():\n    pass\n' },
      PYTHON,
    ],
    ['what was named in vain before', { 'src/1': 'better' }, { 'package.json': SCRIPTS }],
  ])('is not found in %s', async (_, change, was) => {
    expect(await check(change, was)).toMatchObject({ status: expect.stringMatching(/passed|warned/) });
  });
});
