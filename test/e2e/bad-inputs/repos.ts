import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONFIG } from '../../support/cli.ts';
import { git, write } from '../../support/git-fixture.ts';
import { bad } from './bad-input.ts';

const outside = (dir: string) => {
  const place = join(dirname(dir), 'outside');
  mkdirSync(join(place, '.git'), { recursive: true });
  return place;
};

const bare = (dir: string) => {
  git(dir, 'clone', '-q', '--bare', '.', '../bare.git');
  return join(dirname(dir), 'bare.git');
};

const unborn = (dir: string) => {
  rmSync(join(dir, '.git'), { recursive: true });
  git(dir, 'init', '-q', '-b', 'main');
};

const store = (content: string) => (dir: string) => {
  mkdirSync(join(dir, '.harness'));
  writeFileSync(join(dir, '.harness', 'store-created'), '');
  writeFileSync(join(dir, '.harness', 'store.db'), content);
};

const inTheWay = (dir: string) => write(dir, { '.harness': 'mine\n' });
const trunk = (dir: string) => write(dir, { '.harness.yaml': `${CONFIG}git: { base_branch: trunk }\n` });
const nowhere = { HARNESS_TARGET_REPO: '/no/such/place' };

/** States of a repository, and places, where nothing can be done. */
export const REPOS = [
  bad('no repository', 'run', ['not in a git repository', 'git init'], outside),
  bad('no repository to set up', 'init', ['not in a git repository', 'git init'], outside),
  bad('a bare repository', 'status', ['bare repository', 'clone it'], bare),
  bad('the inside of .git', 'status', ['inside a .git', 'run from the files'], dir => join(dir, '.git')),
  bad('no commits', 'run', ['no commits yet', 'git commit'], unborn),
  bad('a detached HEAD', 'run', ['HEAD is detached', 'git.base_branch', 'git switch main'], dir => {
    git(dir, 'checkout', '-q', '--detach');
  }),
  bad('a base branch that is not there', 'run', ['trunk', 'git.base_branch', 'git branch trunk'], trunk),
  bad('a branch in the way', 'run', ['"harness"', 'git branch -m'], dir => {
    git(dir, 'branch', 'harness');
  }),
  bad('a damaged store', 'run', ['store.db', 'was left as it is', 'keep a copy'], store('garbage'), {
    code: 1,
  }),
  bad('a store that was emptied', 'status', ['store.db', 'is empty', 'keep a copy'], store(''), { code: 1 }),
  bad('a file in the way', 'status', ['.harness', 'paths.state_dir', 'move it away'], inTheWay, { code: 1 }),
  bad('a folder that is not there', 'status --repo nowhere', [
    'nowhere',
    '--repo',
    'folder of a git repository',
  ]),
  bad('a file for a folder', 'run --repo features.json', ['features.json', '--repo', 'is not a folder']),
  bad(
    'a variable that leads nowhere',
    'status',
    ['/no/such/place', 'HARNESS_TARGET_REPO', 'folder of'],
    undefined,
    {
      env: nowhere,
    },
  ),
];
