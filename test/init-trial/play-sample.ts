import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { Sample } from './sample.ts';

/** What became of one generated project. */
export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  /** How far it got: what `init` wrote has to be green, and the task has to land with it. */
  readonly end: 'landed' | 'no-green-base' | 'refused' | 'not-started';
  readonly full: string | null;
  readonly seen: string | null;
  readonly reason: string;
  readonly seconds: number;
}

export interface Stage {
  readonly root: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PATIENCE_MS = 1_200_000;

/** Sets a project up as its owner would and has one task done, without a look at the configuration. */
export async function playSample(sample: Sample, stage: Stage): Promise<Outcome> {
  const startedMs = performance.now();
  const dir = join(stage.root, sample.name, 'till');
  const env = getEnv(sample, stage);
  const start = (file: string, args: readonly string[], cwd = dir) =>
    run(file, args, { cwd, env, signal: stage.signal });
  const harness = (...args: string[]) => start(process.execPath, [stage.program, ...args]);
  const git = async (...args: string[]) => getOutput(`git ${args[0]}`, await start('git', args));
  writeFiles(dir, { ...sample.files, '.agent/work.mjs': getAgent(sample.work) });
  await git('init', '-q', '-b', 'main', '--template=');
  await commitAll(git, 'A project that works');
  const from = join(dir, sample.from ?? '');
  const init = ['init', '--json', '--agent', 'command', '--command', 'node .agent/work.mjs'];
  const text = getOutput('init', await start(process.execPath, [stage.program, ...init], from));
  const { detected } = JSON.parse(text) as Report;
  const shared = { name: sample.name, full: detected.test, seen: detected.seen?.full ?? null };
  const getSeconds = () => Math.round((performance.now() - startedMs) / 100) / 10;
  if (!/^(?:[1-9]\d* tests?, (?!\d+ red)|exit 0)/.test(shared.seen ?? '')) {
    const reason = (detected.seen?.leftOut ?? []).join(' | ');
    return { ...shared, ok: false, end: 'no-green-base', reason, seconds: getSeconds() };
  }
  const [path, test] = sample.test;
  writeFiles(dir, { [path]: test });
  await commitAll(git, 'Set up Harness, and approve a test');
  getOutput('add', await harness('add', 'There is a function more', '--test-file', path));
  await commitAll(git, 'Ask for it');
  const config = readFileSync(join(dir, '.harness.yaml'), 'utf8');
  const { stderr, stdout } = await harness('run', '--task', '1', '--max-sessions', '1', '--json');
  writeFileSync(join(stage.root, sample.name, 'run.log'), `${stdout}\n${stderr}`);
  const ended = getEnd(stderr, stdout);
  const isUntouched = readFileSync(join(dir, '.harness.yaml'), 'utf8') === config;
  return { ...shared, ...ended, ok: ended.end === 'landed' && isUntouched, seconds: getSeconds() };
}

interface Report {
  readonly detected: {
    readonly test: string | null;
    readonly seen: { readonly full?: string; readonly leftOut?: readonly string[] } | null;
  };
}

/** The agent: lays down the work; it has no other roles here. */
function getAgent(work: Sample['work']): string {
  return `import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
if (process.env.HARNESS_ROLE === 'review') console.log('{"findings":[]}');
else for (const [path, text] of Object.entries(${JSON.stringify(work)})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
`;
}

function getEnv(
  { name, path = [] }: Sample,
  { root, env }: Stage,
): Readonly<Record<string, string | undefined>> {
  const person = { GIT_AUTHOR_NAME: 'Owner', GIT_AUTHOR_EMAIL: 'owner@example.org' };
  return {
    ...env,
    ...person,
    ...{ GIT_COMMITTER_NAME: 'Owner', GIT_COMMITTER_EMAIL: 'owner@example.org' },
    HARNESS_CACHE_DIR: join(root, name, 'cache'),
    PATH: [...path, env.PATH].join(':'),
  };
}

async function commitAll(git: (...args: string[]) => Promise<string>, message: string): Promise<void> {
  await git('add', '-A');
  await git('commit', '-q', '--no-verify', '--allow-empty', '-m', message);
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

function getEnd(stderr: string, stdout: string): Pick<Outcome, 'end' | 'reason'> {
  const events = stderr
    .split('\n')
    .flatMap(line => (line.startsWith('{"seq"') ? [JSON.parse(line) as HarnessEvent] : []));
  if (events.some(event => event.type === 'task.landed')) return { end: 'landed', reason: '' };
  const given = events.findLast(event => event.type === 'verdict.given');
  if (given) {
    const { decidedBy, reason, findings } = given.verdict;
    return { end: 'refused', reason: [`${decidedBy}: ${reason}`, ...findings.slice(0, 3)].join(' | ') };
  }
  const last = events.findLast(event => event.type === 'preflight.failed' || event.type === 'attempt.ended');
  return { end: 'not-started', reason: last?.reason ?? `${stdout}${stderr}`.trim().slice(-600) };
}

function getOutput(what: string, { code, stdout, stderr }: Ended): string {
  if (code === 0) return stdout;
  throw new Error(`${what}: exit ${code}: ${(stderr || stdout).slice(-600)}`);
}

/** Runs a program to its end, or for as long as anybody would wait. */
export function run(
  file: string,
  args: readonly string[],
  where: Pick<Stage, 'env' | 'signal'> & { readonly cwd: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { cwd, env, signal } = where;
    const child: ChildProcess = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const out = { stdout: '', stderr: '' };
    for (const which of ['stdout', 'stderr'] as const)
      child[which]?.setEncoding('utf8').on('data', (text: string) => {
        out[which] += text;
      });
    const end = () => child.pid && process.kill(-child.pid, 'SIGTERM');
    const timer = setTimeout(end, PATIENCE_MS);
    signal.addEventListener('abort', end, { once: true });
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve({ code, ...out });
    });
  });
}
