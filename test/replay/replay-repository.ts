import { basename } from 'node:path';
import { getShellQuoted } from '../../src/core/base/shell-quoted.ts';
import { type Clone, openClone, openProject, type Project } from '../honest/project.ts';
import { type Commit, placeBase, readCommit } from './commit.ts';
import { type Played, playWork } from './play-commit.ts';
import { isGreen, judgeOwn, type Own } from './suite.ts';
import { type Break, getWork, type Work } from './variants.ts';

/** A commit, what the project itself says of it, and what became of it. */
export interface Replay {
  readonly repository: string;
  readonly commit: string;
  readonly testFile: string | null;
  readonly own: Own;
  /** The first of its clone. */
  readonly isFirst: boolean;
  readonly played: Played;
  /** Broken work that landed although the project's own command is red with it. */
  readonly broken: readonly (Played & { readonly isWrong: boolean })[];
}

export interface Options {
  readonly root: string;
  readonly program: string;
  readonly breaks: readonly Break[];
  readonly testFile?: string | undefined;
}

/** Plays commits of a repository in one clone, whose base moves on; another clone where other commands test it. */
export async function replayRepository(
  source: string,
  words: readonly string[],
  options: Options,
  tell: (replay: Replay) => void,
): Promise<readonly Replay[]> {
  const name = basename(source).replace(/\.git$/, '');
  const plain = await openClone(`${name}-plain`, source, options);
  const clones = new Map<string, Project>();
  const replays: Replay[] = [];
  const replay = async (word: string): Promise<Replay> => {
    const read = await readCommit(plain.git, word);
    const commit = options.testFile ? { ...read, testFile: options.testFile, otherTests: [] } : read;
    await placeBase(plain.git, commit);
    const { stdout } = await plain.harness(['init', '--dry-run', '--json']);
    const set = getSet(stdout);
    const known = clones.get(set);
    const prepare = ({ git }: Clone) => commitBase(git, commit);
    const project = known ?? (await openProject(`${name}-${clones.size + 1}`, source, options, prepare));
    clones.set(set, project);
    const played = await replayCommit(project, plain, commit, options.breaks);
    return { repository: name, commit: commit.id.slice(0, 10), isFirst: known === undefined, ...played };
  };
  for (const word of words) {
    try {
      const one = await replay(word);
      replays.push(one);
      tell(one);
    } catch (error) {
      console.error(`left out: ${name} ${word}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return replays;
}

async function commitBase(git: Project['git'], commit: Commit): Promise<void> {
  await placeBase(git, commit);
  await git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'The base');
}

/** How a project is tested, as far as it is told without trying. */
function getSet(stdout: string): string {
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as {
    detected?: Record<string, unknown>;
  };
  const { install, test, runner } = answer.detected ?? {};
  return JSON.stringify([install, test, runner]);
}

async function replayCommit(
  project: Project,
  plain: Clone,
  commit: Commit,
  breaks: readonly Break[],
): Promise<Pick<Replay, 'testFile' | 'own' | 'played' | 'broken'>> {
  const work = await readWork(plain, commit);
  const whole = getWork(work, 'whole');
  if (whole === null) throw new Error(`${commit.id} changes nothing that an agent could play`);
  const own = await judgeOwn(plain, commit, whole, project);
  const played = await playWork(project, commit, 'whole', whole);
  const broken: (Played & { isWrong: boolean })[] = [];
  for (const how of own.isValid ? breaks : []) {
    const edits = getWork(work, how);
    if (edits === null) continue;
    const one = await playWork(project, commit, how, edits);
    const told = { command: own.command, install: project.install };
    const isWrong = one.end === 'landed' && !(await isGreen(plain, commit, edits, told));
    broken.push({ ...one, isWrong });
  }
  return { testFile: commit.testFile, own, played, broken };
}

/** Both texts of what the agent plays; what is no text is left out. */
async function readWork({ git, run }: Clone, { id, parent, source }: Commit): Promise<Work> {
  const read = async (at: string): Promise<Map<string, string>> => {
    const texts = new Map<string, string>();
    for (const { path } of source) {
      const listed = await git('ls-tree', at, '--', path);
      if (listed === '' || !listed.startsWith('100')) continue;
      const { stdout: text } = await run(`git show ${getShellQuoted(`${at}:${path}`)}`);
      if (!text.includes('\0')) texts.set(path, text);
    }
    return texts;
  };
  return { before: await read(parent), after: await read(id) };
}
