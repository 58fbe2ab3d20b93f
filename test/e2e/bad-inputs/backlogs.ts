import { commit, FEATURES, type Feature, getBacklog } from '../../support/cli.ts';
import { git } from '../../support/git-fixture.ts';
import { bad } from './bad-input.ts';

const FILE = 'features.json';
const backlog = (text: string) => (dir: string) => commit(dir, { [FILE]: text });
const [FIRST] = FEATURES as [Feature];
const feature = (changed: object, ...rest: Feature[]) =>
  backlog(getBacklog([{ ...FIRST, ...changed }, ...rest]));

const uncommit = (dir: string) => {
  git(dir, 'rm', '-q', '--cached', FILE);
  git(dir, 'commit', '-q', '-m', 'Forget it');
};

/** Backlogs that cannot be used. */
export const BACKLOGS = [
  bad('a comma too many', 'run', [FILE, 'line 1', 'Repair line 1'], backlog('{ "features": [1,] }\n')),
  bad(
    'an unresolved merge',
    'status',
    [FILE, 'unresolved merge', 'Repair line 2'],
    backlog('{\n<<<<<<< HEAD\n}\n'),
  ),
  bad('an empty file', 'next', [FILE, 'ends too early', 'Repair line 1'], backlog('')),
  bad(
    'a list instead of an object',
    'run',
    [FILE, 'must be an object', 'Put everything inside'],
    backlog('[]\n'),
  ),
  bad('no features', 'run', [FILE, 'features is missing', 'Write "features"'], backlog('{}\n')),
  bad(
    'a feature without an id',
    'status',
    [FILE, 'features[0].id', 'of its own'],
    feature({ id: undefined }),
  ),
  bad('the same id twice', 'run', [FILE, 'features[1].id', 'an id of its own'], feature({}, FIRST)),
  bad(
    'a dependency on nothing',
    'next',
    [FILE, 'features[0].depends_on', 'Add feature 77'],
    feature({ depends_on: [77] }),
  ),
  bad(
    'no test file',
    'run',
    [FILE, 'features[0].test_file', 'whose tests prove'],
    feature({ test_file: undefined }),
  ),
  bad(
    'a test file outside',
    'run',
    [FILE, 'features[0].test_file', 'from the root'],
    feature({ test_file: '../x.sh' }),
  ),
  bad(
    'a task too large',
    'run',
    [FILE, 'features[0].size_estimate', 'Split'],
    feature({ size_estimate: 'xlarge' }),
  ),
  bad('a priority in words', 'run', [FILE, 'features[0].priority', '"P0"'], feature({ priority: 'soon' })),
  bad(
    'passes in words',
    'status',
    [FILE, 'features[0].passes', 'Write "passes": false'],
    feature({ passes: 'yes' }),
  ),
  ...['run', 'verify 1', 'proof 1', 'audit'].map(command =>
    bad(
      `a backlog that is not committed, for ${command}`,
      command,
      [FILE, 'not committed on main', 'git add features.json'],
      uncommit,
    ),
  ),
];
