import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getFiles } from './cast.ts';
import { runHarness } from './run-harness.ts';

export interface Project {
  readonly dir: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the person has lying about and must find again. */
  readonly own: Readonly<Record<string, string>>;
}

const SETTINGS = `
features: { max_stuck_sessions: 6 }
attempts: { max_interruptions: 8 }
`;

/** A folder with a spec, made into a project by `init --spec`, with a person's unfinished things in it. */
export async function makeProject(tasks: number): Promise<Project> {
  const dir = mkdtempSync(join(tmpdir(), 'harness-soak-'));
  const root = join(dir, 'parts');
  const env = getEnv(dir);
  const project = { dir, root, env, own: { 'notes-of-mine.txt': 'do not lose this\n' } };
  mkdirSync(root);
  git(project, 'init', '-q', '-b', 'main', '--template=');
  write(root, getFiles(tasks));
  write(root, { '.gitignore': 'harness-agent.yaml\n' });
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'Begin');
  const planned = await runHarness(project, ['init', '--spec', 'spec.md', '--yes', '--json']);
  if (planned.code !== 0) throw new Error(`no plan: ${planned.stdout}${planned.stderr}`);
  const config = join(root, '.harness.yaml');
  writeFileSync(config, readFileSync(config, 'utf8') + SETTINGS);
  git(project, 'commit', '-qam', 'Settings');
  write(root, { 'README.md': 'mine\n' });
  git(project, 'add', 'README.md');
  git(project, 'stash', '-q');
  write(root, project.own);
  return project;
}

export function git({ root, env }: Pick<Project, 'root' | 'env'>, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim();
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function getEnv(dir: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  const who = { GIT_AUTHOR_NAME: 'Soak', GIT_AUTHOR_EMAIL: 'soak@example.invalid' };
  const committer = { GIT_COMMITTER_NAME: 'Soak', GIT_COMMITTER_EMAIL: 'soak@example.invalid' };
  const plain = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return { PATH, TMPDIR, HOME: dir, ...who, ...committer, ...plain, HARNESS_CACHE_DIR: join(dir, 'cache') };
}
