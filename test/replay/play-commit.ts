import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { CheckName } from '../../src/core/model/check.ts';
import { getFeatureCommand, getFilesCommand } from '../../src/core/testing/test-command.ts';
import { readEvents, takeLanded } from '../honest/play-change.ts';
import type { Edits, Project } from '../honest/project.ts';
import { type Commit, placeBase } from './commit.ts';
import type { Break } from './variants.ts';

/** What became of one piece of work. */
export interface Played {
  readonly how: Break | 'whole';
  readonly end: 'landed' | 'rejected' | 'inconclusive' | 'needs-human' | 'not-started';
  readonly check: CheckName | null;
  readonly reason: string;
  /** An attempt was counted against the agent. */
  readonly isCharged: boolean;
  readonly baselineSeconds: number;
  readonly verdictSeconds: number;
  readonly runSeconds: number;
}

/** The texts of what is set up, which no commit of the repository has. */
const SETTINGS = ['.harness.yaml', 'features.json'];

/** Puts the base, one task and one agent's work before the command. */
export async function playWork(
  project: Project,
  commit: Commit,
  how: Break | 'whole',
  edits: Edits,
): Promise<Played> {
  const task = await commitTask(project, commit);
  writeFileSync(join(project.home, 'plan.json'), JSON.stringify(edits));
  const startedMs = performance.now();
  const { stdout, stderr } = await project.harness([
    ...['run', '--task', task, '--max-sessions', '1', '--json'],
  ]);
  const runSeconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const events = readEvents(stderr);
  return { how, ...getEnd(events, `${stdout}\n${stderr}`), ...getTimes(events), runSeconds };
}

/** The base, with the settings as `init` wrote them and a backlog of one task, by a number that none had before. */
async function commitTask(project: Project, commit: Commit): Promise<string> {
  const { git, dir } = project;
  await takeLanded(project);
  const texts = SETTINGS.map(name => readFileSync(join(dir, name), 'utf8'));
  await placeBase(git, commit);
  for (const [at, name] of SETTINGS.entries()) writeFileSync(join(dir, name), texts[at] ?? '');
  const others = getOthersCommand(project, commit);
  const proof = commit.testFile
    ? ['--test-file', commit.testFile, ...(others === null ? [] : ['--validation', others])]
    : ['--validation', project.full, '--step', 'the project’s own tests pass'];
  const title = `${commit.subject} (${commit.id.slice(0, 10)})`;
  const { stdout, stderr, code } = await project.harness(['add', title, ...proof, '--json']);
  if (code !== 0) throw new Error(`harness add: ${stderr || stdout}`);
  const backlog = join(dir, 'features.json');
  const book = JSON.parse(readFileSync(backlog, 'utf8')) as { features: { id: number }[] };
  const features = book.features.slice(-1);
  writeFileSync(backlog, `${JSON.stringify({ ...book, features }, null, 2)}\n`);
  await git('add', '-A');
  await git('add', '-f', ...SETTINGS);
  await git('commit', '-q', '--no-verify', '-m', `Ask for ${commit.id.slice(0, 10)}`);
  return String(features[0]?.id);
}

/** What runs the test files beside the task's own, where they can be run by themselves. */
function getOthersCommand({ testing }: Project, { otherTests }: Commit): string | null {
  if (otherTests.length === 0) return null;
  const all = getFilesCommand(testing, otherTests);
  if (all !== null) return all;
  const each = otherTests.map(path => getFeatureCommand(testing, path));
  return each.includes(null) || each.includes(testing.full) ? null : each.join(' && ');
}

type End = Pick<Played, 'end' | 'check' | 'reason' | 'isCharged'>;

function getEnd(events: readonly HarnessEvent[], log: string): End {
  if (events.some(({ type }) => type === 'task.landed'))
    return { end: 'landed', check: null, reason: '', isCharged: false };
  const given = events.findLast(event => event.type === 'verdict.given');
  const ended = events.findLast(event => event.type === 'attempt.ended');
  const isBegun = events.some(({ type }) => type === 'session.started');
  const isGround = ended?.outcome === 'partial' && ended.category === 'ENV_SETUP';
  const isFree = isGround || ended?.outcome === 'needs-human' || ended?.unavailable;
  const isCharged = isBegun && ended !== undefined && !isFree;
  if (given) {
    const { decidedBy: check, word, reason, findings } = given.verdict;
    const end = word === 'proven' ? 'inconclusive' : word;
    return { end, check, reason: [reason, ...findings.slice(0, 4)].join(' | ').slice(0, 1_500), isCharged };
  }
  const last = events.findLast(({ type }) => type === 'preflight.failed' || type === 'attempt.ended');
  const reason = (last && 'reason' in last ? last.reason : log.trim()).slice(-800);
  return { end: 'not-started', check: null, reason, isCharged };
}

/** Installing is not the verdict's; measuring the base is. */
function getTimes(events: readonly HarnessEvent[]): Pick<Played, 'baselineSeconds' | 'verdictSeconds'> {
  const sum = (some: readonly { readonly durationMs: number }[] | undefined): number =>
    Math.round((some ?? []).reduce((total, { durationMs }) => total + durationMs, 0) / 10) / 100;
  const ready = events.findLast(event => event.type === 'preflight.passed');
  const given = events.find(event => event.type === 'verdict.given');
  return {
    baselineSeconds: sum(ready?.checks.filter(({ name }) => name === 'baseline_tests')),
    verdictSeconds: sum(given?.checks),
  };
}
