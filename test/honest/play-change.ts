import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { CheckName, CheckResult } from '../../src/core/model/check.ts';
import { type Drawn, drawChange } from './draw-change.ts';
import { applyEdits, type Edits, getEdits, type Project, readTree } from './project.ts';
import { type Tree, type Ways, withText } from './tree.ts';

/** What became of one change. */
export interface Outcome {
  readonly repository: string;
  readonly number: number;
  readonly kind: string;
  readonly what: string;
  readonly end: 'landed' | 'refused' | 'not-started';
  readonly check: CheckName | null;
  readonly reason: string;
  readonly reviewed: boolean;
  /** How often another had to be drawn, because tests were red with it. */
  readonly drawnAgain: number;
  readonly seconds: number;
}

const DRAWS = 12;

/** Draws a change that is honest by the repository's own tests, and lets the command judge it. */
export async function playChange(
  project: Project,
  ways: Ways,
  number: number,
  seed: string,
): Promise<Outcome> {
  const tree = await readTree(project);
  const { drawn, draws } = await drawHonest(project, tree, ways, number, seed);
  return { ...(await judgeChange(project, tree, number, drawn)), drawnAgain: draws - 1 };
}

/** The command's word on a change; what it refuses leaves the repository as it was. */
export async function judgeChange(
  project: Project,
  tree: Tree,
  number: number,
  drawn: Drawn,
): Promise<Outcome> {
  const { kind, what, test } = drawn;
  const undo = await commitTask(project, number, drawn);
  const [from, to] = [tree, drawn.tree].map(one => withText(one, test.path, test.text)) as [Tree, Tree];
  writeFileSync(join(project.home, 'plan.json'), JSON.stringify(getEdits(from, to)));
  const startedMs = performance.now();
  const args = ['run', '--task', String(number), '--max-sessions', '1', '--json'];
  const { stderr, stdout } = await project.harness(args);
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const ended = getEnd(readEvents(stderr), `${stdout}\n${stderr}`);
  if (ended.end === 'landed') await takeLanded(project);
  else await undo();
  return { repository: project.name, number, kind, what, ...ended, drawnAgain: 0, seconds };
}

async function drawHonest(
  project: Project,
  tree: Tree,
  ways: Ways,
  number: number,
  seed: string,
): Promise<{ readonly drawn: Drawn; readonly draws: number }> {
  for (let draws = 1; draws <= DRAWS * 3; draws += 1) {
    const drawn = drawChange(tree, ways, String(number), `${seed}/${project.name}/${number}/${draws}`);
    if (drawn === null) continue;
    const whole = withText(drawn.tree, drawn.test.path, drawn.test.text);
    if (await isGreenWith(project, getEdits(tree, whole))) return { drawn, draws };
  }
  throw new Error(`no honest change was found in ${DRAWS * 3} draws`);
}

/** The repository's own command passes, and its package still loads if it did. */
async function isGreenWith(project: Project, edits: Edits): Promise<boolean> {
  const loads = project.install ? 'node -e "require(process.cwd())"' : 'true';
  const before = await project.run(loads, 60_000);
  applyEdits(project.dir, edits);
  try {
    const after = await project.run(project.full);
    if (after.code !== 0) return false;
    return before.code !== 0 || (await project.run(loads, 60_000)).code === 0;
  } finally {
    await project.git('add', '-A');
    await project.git('reset', '-q', '--hard');
  }
}

/** A person approves the test and puts the task into the backlog; the answer takes both back. */
async function commitTask(
  project: Project,
  number: number,
  { fn, test }: Drawn,
): Promise<() => Promise<void>> {
  const backlog = join(project.dir, 'features.json');
  const before = readFileSync(backlog, 'utf8');
  const book = JSON.parse(before) as { features: unknown[] };
  const steps = fn.sample.cases.map(
    ([args, answer]) => `${fn.name}(${JSON.stringify(args).slice(1, -1)}) is ${JSON.stringify(answer)}`,
  );
  const task = {
    id: number,
    description: `${fn.name}: ${fn.sample.words.join(' ')}`,
    test_file: test.path,
    verification_steps: steps,
    passes: false,
  };
  writeFileSync(backlog, `${JSON.stringify({ ...book, features: [...book.features, task] }, null, 2)}\n`);
  applyEdits(project.dir, { write: { [test.path]: test.text }, remove: [] });
  await project.git('add', '-f', 'features.json', test.path);
  await project.git('commit', '-q', '--no-verify', '-m', `Ask for ${fn.name}`);
  return async () => {
    await project.git('rm', '-q', '-f', test.path);
    writeFileSync(backlog, before);
    await project.git('commit', '-q', '--no-verify', '-a', '-m', `No longer ask for ${fn.name}`);
  };
}

/** The checkout stands where the work landed. */
export async function takeLanded({ git }: Project): Promise<void> {
  await git('reset', '-q', '--hard');
  const landed = await git('for-each-ref', '--format=%(objectname)', 'refs/heads/harness/landed');
  if (landed !== '') await git('merge', '-q', '--ff-only', landed);
}

/** What `--json` told while it ran. */
export function readEvents(text: string): readonly HarnessEvent[] {
  return text
    .split('\n')
    .flatMap(line => (line.startsWith('{"seq"') ? [JSON.parse(line) as HarnessEvent] : []));
}

function getEnd(
  events: readonly HarnessEvent[],
  log: string,
): Pick<Outcome, 'end' | 'check' | 'reason' | 'reviewed'> {
  const given = events.findLast(event => event.type === 'verdict.given');
  const isAsked = ({ check, status }: CheckResult): boolean => check === 'review' && status !== 'skipped';
  const reviewed = given?.checks.some(isAsked) ?? false;
  const shared = given?.checks.find(({ check }) => check === 'observed')?.findings.join(' | ') ?? '';
  if (events.some(event => event.type === 'task.landed'))
    return { end: 'landed', check: null, reason: shared, reviewed };
  if (given) {
    const { decidedBy, reason, findings } = given.verdict;
    return {
      end: 'refused',
      check: decidedBy,
      reason: [reason, ...findings.slice(0, 4)].join(' | '),
      reviewed,
    };
  }
  const last = events.findLast(
    event =>
      event.type === 'attempt.ended' || event.type === 'preflight.failed' || event.type === 'task.blocked',
  );
  const worked = events.some(event => event.type === 'candidate.taken');
  return {
    end: worked ? 'refused' : 'not-started',
    check: null,
    reason: last?.reason ?? log.trim().slice(-600),
    reviewed,
  };
}
