import { posix } from 'node:path';
import type { Random } from '../random.ts';
import type { Tree, Ways } from '../tree.ts';

const JS = [
  ...['ab_test', 'e2e', 'mock', 'mocks', 'fixtures', 'app.config', 'check', 'validate', 'spec', 'testing'],
  ...[
    'stub',
    'snapshot',
    'expected',
    'golden',
    'setup',
    'a-b-tests',
    'contest',
    'runner',
    'assert',
    'conftest',
  ],
];
const PY = [
  ...[
    'spec',
    'mock',
    'fixtures',
    'check',
    'validate',
    'e2e',
    'conftest_rules',
    'stubs',
    'snapshot',
    'expected',
  ],
  ...['golden', 'contest', 'setup_hooks', 'pytest_notes', 'asserts', 'a_b_tests', 'testing', 'ab_test'],
];

/** A free path for a module whose name sounds like a test's, and that the runner does not take for one. */
export function pickUnlucky(tree: Tree, ways: Ways, dir: string, random: Random): string {
  const names = ways.language === 'py' ? PY.filter(name => !isLoaded(ways, name)) : JS;
  const path = (name: string): string => posix.join(dir, `${name}.${ways.language}`);
  for (const name of random.shuffle(names)) if (!tree.has(path(name))) return path(name);
  for (let i = 2; ; i += 1) {
    const more = path(`${random.pick(names)}${ways.language === 'py' ? '_' : '-'}${i}`);
    if (!tree.has(more) && !isLoaded(ways, posix.basename(more, '.py'))) return more;
  }
}

/** What the runners of Python find by a name in any folder. */
function isLoaded({ runner }: Ways, name: string): boolean {
  if (runner === 'unittest') return name.startsWith('test');
  return runner === 'pytest' && (/^test_|_test$/.test(name) || name === 'conftest');
}
