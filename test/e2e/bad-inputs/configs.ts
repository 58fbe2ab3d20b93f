import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG } from '../../support/cli.ts';
import { write } from '../../support/git-fixture.ts';
import { bad } from './bad-input.ts';

const FILE = '.harness.yaml';
const config = (text: string) => (dir: string) => write(dir, { [FILE]: text });
const more = (text: string) => config(`${CONFIG}${text}\n`);

/** Another kind of config in place of the usual one. */
const instead = (file: string, text: string) => (dir: string) => {
  rmSync(join(dir, FILE));
  write(dir, { [file]: text });
};

const asFolder = (dir: string) => {
  rmSync(join(dir, FILE));
  mkdirSync(join(dir, FILE));
};

/** Configurations that cannot be used. */
export const CONFIGS = [
  bad('no config', 'run', [FILE, 'harness init'], dir => rmSync(join(dir, FILE))),
  bad('an empty config', 'run', [FILE, 'project.name', 'Start with'], config('')),
  bad('broken YAML', 'status', [FILE, 'line', 'Correct the syntax'], config('project: {name: x\n')),
  bad('an unknown section', 'run', [FILE, 'testng', 'Did you mean testing'], more('testng: {}')),
  bad(
    'an unknown setting',
    'next',
    [FILE, 'costs.per_session', 'Did you mean'],
    more('costs: { per_session: 3 }'),
  ),
  bad(
    'a word for a number',
    'run',
    [FILE, 'attempts.max_attempts', 'Set'],
    more('attempts: { max_attempts: x }'),
  ),
  bad(
    'a negative limit',
    'run',
    [FILE, 'attempts.max_attempts', 'Set'],
    more('attempts: { max_attempts: -1 }'),
  ),
  bad(
    'a mistyped choice',
    'run',
    [FILE, 'agent.provider', 'Did you mean scripted'],
    config(CONFIG.replace('scripted', 'scriptd')),
  ),
  bad('the same key twice', 'run', [FILE, 'line', 'Remove one'], more('project: { name: again }')),
  bad('two configs', 'run', ['.harness.yml', FILE, 'Keep one of'], dir =>
    write(dir, { '.harness.yml': CONFIG }),
  ),
  bad(
    'two configs for the doctor',
    'doctor',
    ['harness.config.json', 'Keep one of'],
    dir => write(dir, { 'harness.config.json': '{}' }),
    { code: 1 },
  ),
  bad(
    'comments in JSON',
    'run',
    ['harness.config.json', 'is not JSON', 'Write plain JSON'],
    instead('harness.config.json', '{ // mine\n}'),
  ),
  bad(
    'a config program that fails',
    'run',
    ['harness.config.ts', 'no luck', 'as default'],
    instead('harness.config.ts', 'throw new Error("no luck");\n'),
  ),
  bad(
    'an unset variable',
    'run',
    [FILE, 'git.base_branch', 'NO_SUCH_NAME'],
    more(`git: { base_branch: "\${NO_SUCH_NAME}" }`),
  ),
  bad(
    'a backlog outside the project',
    'run',
    [FILE, 'paths.features', 'Change'],
    more('paths: { features: ../features.json }'),
  ),
  bad(
    'a backlog in an unknown format',
    'run',
    ['tasks.toml', 'Name the backlog'],
    more('paths: { features: tasks.toml }'),
  ),
  bad('landing by pull request', 'run', [FILE, 'git.land', 'base or branch'], more('git: { land: pr }')),
  bad('a config that is a folder', 'status', [FILE, 'Make it a file'], asFolder),
  bad(
    'an agent without its command',
    'run',
    ['agent.command', './agent.sh'],
    config(CONFIG.replace('scripted,', 'command,')),
  ),
  bad('a broken config for init', 'init', [FILE, 'project', 'Set project to'], config('project: 3\n')),
];
