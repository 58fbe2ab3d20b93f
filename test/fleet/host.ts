import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FleetProject, git } from './project.ts';

interface HostOptions {
  readonly project: FleetProject;
  readonly program: string;
  readonly storeUrl: string;
  readonly workers: number;
}

/** One machine as far as the harness can tell: a home, a cache and a clone of its own, and a name. */
export class Host {
  readonly name: string;
  readonly dir: string;
  readonly #options: HostOptions;
  #child: ChildProcess | null = null;
  #starts = 0;
  #isOver = false;

  constructor(name: string, options: HostOptions) {
    this.name = name;
    this.dir = join(options.project.dir, name);
    this.#options = options;
    mkdirSync(join(this.dir, 'home'), { recursive: true });
    git(this.dir, 'clone', '-q', options.project.remote, join(this.dir, 'clone'));
  }

  get env(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    const home = join(this.dir, 'home');
    return {
      ...{ PATH, HOME: home, LANG: 'C.UTF-8', HARNESS_HOST_ID: this.name },
      ...{ HARNESS_CACHE_DIR: join(this.dir, 'cache'), HARNESS_STORE_URL: this.#options.storeUrl },
    };
  }

  /** Works until nothing is left, and begins again whenever it ends before that. */
  start(onEnd: (code: number | null) => void): void {
    if (this.#isOver) return;
    const { program, workers } = this.#options;
    const log = createWriteStream(join(this.dir, `run-${++this.#starts}.log`));
    const args = [program, 'run', '--all', '--workers', String(workers)];
    const child = spawn(process.execPath, args, { cwd: join(this.dir, 'clone'), env: this.env });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    this.#child = child;
    child.once('exit', code => {
      if (this.#child === child) this.#child = null;
      onEnd(code);
    });
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** The machine is gone: all that ran on it, and its disk. */
  vanish(): void {
    this.#isOver = true;
    this.signal('SIGKILL');
    for (const pid of this.findProcesses()) killIfThere(pid);
    rmSync(join(this.dir, 'cache'), { recursive: true, force: true });
    rmSync(join(this.dir, 'clone', '.harness'), { recursive: true, force: true });
  }

  /** Nothing more is begun; what runs comes to its end. */
  retire(): void {
    this.#isOver = true;
  }

  /** Everything that has this host's home in its environment, but the harness itself. */
  findProcesses(): readonly number[] {
    const own = this.#child?.pid;
    return readdirSync('/proc')
      .map(Number)
      .filter(pid => Number.isInteger(pid) && pid !== own && readEnv(pid).includes(`${this.dir}/`));
  }
}

function readEnv(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
