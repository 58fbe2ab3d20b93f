import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject } from './cli.ts';
import { git, makeTempDir } from './git-fixture.ts';
import { type Feature, getBacklog } from './sample-project.ts';

// Agents here wait for what lands on the user's branch, which a sandbox hides from them.
const CONFIG = `project: { name: shop }
session_config: { workers: 4 }
testing: { runner: node, full: node --test, feature: "node --test {file}" }
verification: { require_evidence: false, review: "off" }
agent: { provider: scripted, script: agent.yaml }
sandbox: { mode: "off" }
`;

const QUEUE = '{ queue: { wait_seconds: 3 } }';

export interface LanesProject {
  readonly features: readonly Feature[];
  /** Moves of each task's agent, by attempts. */
  readonly moves: Readonly<Record<string, readonly (readonly object[])[]>>;
  readonly config?: string;
  /** The section `git` of the settings. */
  readonly queue?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A task whose test wants a number of its own. */
export function makeFeature(id: number, more: Partial<Feature> = {}): Feature {
  return {
    id,
    description: `Number ${id} is known`,
    test_file: `test/${id}.test.mjs`,
    passes: false,
    ...more,
  };
}

export function getTest(name: string, expression: string, expected: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('${name}', async () => assert.equal(${expression}, ${expected}));
`;
}

/** An agent's move that goes on once a file is there, or a task has landed on the branch of that checkout. */
export const until = (condition: string): object => ({
  run: `i=0; until ${condition}; do sleep 0.1; i=$((i+1)); [ $i -lt 1500 ] || exit 1; done`,
});

export const hasLanded = (dir: string, id: number): string =>
  `git -C ${dir} log main --format=%B | grep -q 'Harness-Task: ${id}$'`;

export const writeNumber = (id: number): readonly object[] => [
  { edit: { file: `src/${id}.mjs`, content: `export const n = ${id};\n` } },
  { claim: `number ${id} is exported` },
];

/** A project for several workers, each task with a test of its own. */
export function makeLanesProject({
  features,
  moves,
  config = '',
  queue = QUEUE,
  files = {},
}: LanesProject): string {
  const tasks = Object.fromEntries(Object.entries(moves).map(([id, attempts]) => [id, { attempts }]));
  const tests = features.flatMap(({ id, test_file }) =>
    test_file === undefined
      ? []
      : [[test_file, getTest(`number ${id}`, `(await import('../src/${id}.mjs')).n`, String(id))]],
  );
  return makeProject({
    '.harness.yaml': `${CONFIG}git: ${queue}\n${config}`,
    'features.json': getBacklog(features).replace('sample', 'shop'),
    'agent.yaml': JSON.stringify({ tasks }),
    'src/old.mjs': 'export const n = 0;\n',
    'test/old.test.mjs': getTest('number old', "(await import('../src/old.mjs')).n", '0'),
    ...Object.fromEntries(tests),
    ...files,
  });
}

/** Whether what is said to be done at each commit of the branch really is, in a checkout of its own. */
export function findRedCommits(dir: string, ref = 'main'): string[] {
  const checkout = join(makeTempDir(), 'checkout');
  git(dir, 'worktree', 'add', '-q', '--detach', checkout, ref);
  const red = git(dir, 'rev-list', '--first-parent', ref)
    .split('\n')
    .filter(commit => {
      git(checkout, 'checkout', '-q', commit);
      const listed = JSON.parse(git(dir, 'show', `${commit}:features.json`)) as { features: Feature[] };
      const done = listed.features.filter(({ passes }) => passes).flatMap(one => one.test_file ?? []);
      const tests = ['test/old.test.mjs', ...done].filter(path => existsSync(join(checkout, path)));
      try {
        execFileSync(process.execPath, ['--test', ...tests], { cwd: checkout, stdio: 'ignore' });
        return false;
      } catch {
        return true;
      }
    });
  git(dir, 'worktree', 'remove', '--force', checkout);
  return red;
}

/** The place of a project that is yet to be made, for moves that look there. */
export function nameProject(): { readonly place: string; make(project: LanesProject): string } {
  const place = join(makeTempDir(), 'project');
  return {
    place,
    make(project) {
      const dir = makeLanesProject(project);
      symlinkSync(dir, place);
      return dir;
    },
  };
}

export interface LoggedEvent {
  readonly type: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly [more: string]: unknown;
}

/** Commits that have landed, each with the task that it says. */
export function getLandings(dir: string, ref = 'main'): { commit: string; task: string }[] {
  const format = '--format=%H %(trailers:key=Harness-Task,valueonly,separator=)';
  return git(dir, 'log', format, ref)
    .split('\n')
    .flatMap(line => {
      const [commit = '', task = ''] = line.split(' ');
      return task === '' ? [] : [{ commit, task }];
    });
}

/** What a run told of itself, event by event. */
export function getEvents(stderr: string): LoggedEvent[] {
  return stderr.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as LoggedEvent] : []));
}
