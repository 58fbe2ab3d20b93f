import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES_PER_FOLDER = 50;

export interface SampleRepo {
  readonly tasks: number;
  /** Besides backlog and configuration. */
  readonly files: number;
  /** No task waits for another one. */
  readonly apart?: true;
}

/** A repository with so many tasks and so many small files, all committed, on branch main. */
export function writeSampleRepo(dir: string, { tasks, files, apart }: SampleRepo): void {
  mkdirSync(dir, { recursive: true });
  for (let at = 0; at < files; at++) {
    const folder = join(dir, 'lib', `part-${Math.floor(at / FILES_PER_FOLDER)}`);
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `module-${at}.js`), `export const value${at} = ${at};\n`.repeat(20));
  }
  writeFileSync(join(dir, '.gitignore'), '.harness/\nnode_modules/\n');
  writeFileSync(join(dir, '.harness.yaml'), CONFIG);
  writeFileSync(join(dir, 'features.json'), getBacklog(tasks, apart));
  runSetup(dir, 'init', '-q', '-b', 'main');
  runSetup(dir, 'add', '-A');
  runSetup(dir, 'commit', '-q', '-m', 'Start');
}

/** The source file that a task asks for. */
export function getSourcePath(task: string): string {
  return `src/feature-${task}.js`;
}

/** The test file that proves a task. */
export function getTestPath(task: string): string {
  return `test/feature-${task}.test.js`;
}

/** Git as a person would set the sample up; never measured. */
export function runSetup(dir: string, ...args: string[]): string {
  const who = { NAME: 'Bench', EMAIL: 'bench@example.org' };
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  };
  return execFileSync('git', args, { cwd: dir, env, encoding: 'utf8' }).trim();
}

const CONFIG = `project: { name: sample }
agent: { provider: scripted }
testing:
  runner: node
  full: ./test-all
  feature: ./test-one {file}
verification: { feedback_rounds: 0, review: "off" }
costs: { total_project_usd: 1000000 }
quality: { cleanup_interval: 0 }
`;

function getBacklog(tasks: number, apart = false): string {
  const features = Array.from({ length: tasks }, (_, at) => ({
    id: at + 1,
    category: 'functional',
    description: `Provide feature ${at + 1} of the sample`,
    test_file: getTestPath(String(at + 1)),
    verification_steps: ['run its test'],
    size_estimate: 'small',
    depends_on: !apart && at % 10 === 9 ? [at] : [],
    passes: false,
  }));
  return `${JSON.stringify({ project: 'sample', features }, null, 2)}\n`;
}
