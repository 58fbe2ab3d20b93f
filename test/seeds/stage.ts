import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSampleFiles } from '../support/sample-project.ts';
import { type Shown, type Typed, typeAtTerminal } from '../support/terminal.ts';

/** What a command came to. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both, as somebody at a terminal reads them. */
  readonly text: string;
}

type Env = Readonly<Record<string, string>>;
export type Files = Readonly<Record<string, string | null>>;

const PATIENCE_MS = 120_000;

/** Where behaviours are shown: makes small projects and runs the built program in them, as a person at a shell would. */
export class Stage {
  private readonly root: string;
  private readonly program: string;

  constructor(root: string, program: string) {
    this.root = root;
    this.program = program;
  }

  /** The sample project (three tasks; its agent does 1 and 2 and lies about 3) with these files changed; null leaves one out. */
  project(files: Files = {}): SeedProject {
    return this.repository({ ...getSampleFiles(), ...files });
  }

  /** A repository with these files alone, committed on `main`. */
  repository(files: Files = {}): SeedProject {
    const project = this.folder(files);
    project.git('init', '-q', '-b', 'main', '--template=');
    project.git('add', '-A', '-f');
    project.git('commit', '-q', '--allow-empty', '-m', 'Start');
    return project;
  }

  /** A folder that is no repository. */
  folder(files: Files = {}): SeedProject {
    const dir = join(mkdtempSync(join(this.root, 'row-')), 'project');
    mkdirSync(join(dir, '..', 'home'), { recursive: true });
    mkdirSync(dir);
    const project = new SeedProject(dir, this.program);
    project.write(files);
    return project;
  }
}

export class SeedProject {
  readonly dir: string;
  /** The built program, for lines of shell. */
  readonly program: string;
  private readonly env: Env;

  constructor(dir: string, program: string) {
    this.dir = dir;
    this.program = program;
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: join(dir, '..', 'home'),
      HARNESS_CACHE_DIR: join(dir, '..', 'cache'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    };
  }

  /** `harness …` in the project. */
  harness(...args: readonly string[]): Promise<Ran> {
    return this.harnessIn({}, ...args);
  }

  /** The same with variables of the person's own, or from another folder of the project. */
  harnessIn(env: Env & { readonly cwd?: string }, ...args: readonly string[]): Promise<Ran> {
    const { cwd = '', ...more } = env;
    return this.execute(process.execPath, [this.program, ...args], join(this.dir, cwd), more);
  }

  /** The answer of a command that speaks JSON, whatever its exit code. */
  async json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T> {
    const { out, text } = await this.harness(...args, '--json');
    try {
      return JSON.parse(out) as T;
    } catch {
      throw new Error(`harness ${args.join(' ')} --json printed no JSON: ${text}`);
    }
  }

  /** Starts `harness …` and leaves it running; the caller ends it. */
  start(args: readonly string[], env: Env = {}): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], {
      cwd: this.dir,
      env: { ...this.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** `harness …` at a terminal, where somebody types what they are asked. */
  terminal(command: string, ...typed: readonly Typed[]): Promise<Shown> {
    const line = `"${process.execPath}" "${this.program}" ${command}`;
    return typeAtTerminal(line, typed, { cwd: this.dir, env: { ...this.env, TERM: 'xterm' } });
  }

  /** A line of shell in the project. */
  sh(line: string, env: Env = {}): Promise<Ran> {
    return this.execute('sh', ['-c', line], this.dir, env);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.dir, env: this.env, encoding: 'utf8' }).trimEnd();
  }

  /** Writes files into the checkout; what starts with `#!` can be run. */
  write(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) continue;
      const full = join(this.dir, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      if (text.startsWith('#!')) chmodSync(full, 0o755);
    }
  }

  /** Writes and commits, as the person would. */
  commit(files: Files, message = 'Change'): void {
    this.write(files);
    this.git('add', '-A', '-f', '--', ...Object.keys(files));
    this.git('commit', '-q', '-m', message);
  }

  has(path: string): boolean {
    return existsSync(join(this.dir, path));
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  readJson<T = Record<string, unknown>>(path: string): T {
    return JSON.parse(this.read(path)) as T;
  }

  /** The log that is made for grep. */
  log(): string {
    return this.read('.harness/logs/harness-progress.txt');
  }

  private execute(file: string, args: readonly string[], cwd: string, env: Env): Promise<Ran> {
    const options = { cwd, env: { ...this.env, ...env }, maxBuffer: 1 << 26, timeout: PATIENCE_MS };
    return new Promise(resolve => {
      const child = execFile(file, args, options, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, out, err, text: `${out}${err}` });
      });
      child.stdin?.end();
    });
  }
}
