import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bad } from './bad-input.ts';

const FILE = 'features.json';

/** Commands that cannot be meant. */
export const ARGUMENTS = [
  bad('an unknown command', 'statsu', ['statsu', 'Did you mean status']),
  bad('an unknown flag', 'run --al', ['--al', 'Did you mean --all']),
  bad('a flag without its value', 'run --task', ['--task', 'argument missing', 'harness help']),
  bad('no sessions at all', 'run --max-sessions 0', ['--max-sessions', 'whole number above 0']),
  bad('an argument too many', 'status now', ['too many arguments', 'harness help']),
  bad('a task that is not there', 'run --task 9', ['"9"', '--task', 'there are 1, 2, 3']),
  bad('a task that has to wait', 'run --task 2', ['waits for 1', '--task', 'harness run --task 1']),
  bad('a dry run of no task', 'run --dry-run --task one', ['"one"', '--task', 'harness status --all']),
  bad('a task without a title', 'add', ['title', 'harness help']),
  bad('an empty title', ['add', ' '], ['<title>', 'in one sentence']),
  bad('a new task after nothing', 'add More --test-file x.sh --depends-on 9', [
    FILE,
    'depends_on',
    'Add feature 9',
  ]),
  bad('a new task of no size', 'add More --size huge', ['--size', 'small, medium, large']),
  bad('a new task of no priority', 'add More --test-file x.sh --priority urgent', [FILE, 'priority', '"P0"']),
  bad('a new task proven elsewhere', 'add More --test-file /etc/x.sh', [FILE, 'test_file', 'from the root']),
  bad('a task for a missing backlog', 'add More', [FILE, 'harness init'], dir => rmSync(join(dir, FILE))),
  bad('nothing to verify', 'verify', ['missing <task>', 'harness verify 12']),
  bad('a task nobody knows to verify', 'verify zzz', ['"zzz"', '<task>', 'there are 1, 2, 3']),
  bad('two tasks to verify', 'verify 1 --feature 2', ['--feature', 'different tasks', 'name it once']),
  bad('a time in words', 'log --since yesterday', ['--since', 'yesterday', '2h']),
  bad('an event nobody knows', 'log --type attemt', ['--type', 'did you mean attempt']),
  bad('a level nobody knows', 'log --level loud', ['--level', 'critical, important']),
  bad(
    'a report onto a folder',
    'report --html pages',
    ['pages is a folder', 'fix: name a file'],
    dir => mkdirSync(join(dir, 'pages')),
    { code: 1 },
  ),
  bad(
    'a cache that is a file',
    'run --all',
    ['a file stands in its way', 'HARNESS_CACHE_DIR to a folder'],
    undefined,
    { code: 1, env: { HARNESS_CACHE_DIR: process.execPath } },
  ),
  bad('a limit below zero', 'log --limit -1', ['--limit', 'whole number above 0']),
];
