import { getChangedLines } from '../../core/code/changed-lines.ts';
import { isBacklogPath } from '../../core/model/policy.ts';
import { getBasis } from '../../core/model/task.ts';
import { readChangedSources } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import type { Unturned } from '../tests/unturned.ts';

/** A file that the reviewer is shown, as it is now. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
  /** The numbers of the lines that the work changed. */
  readonly changed: readonly number[];
}

/** What was changed, the tests that are in question with it, and nothing of what its author says. */
export async function readShown(ctx: CheckContext, tests: readonly string[]): Promise<readonly ShownFile[]> {
  const { workspace } = ctx.ports;
  const sources = await readChangedSources(ctx);
  const shown = sources.map(({ path, before, after }) => ({
    path,
    text: after,
    changed: getChangedLines(before, after),
  }));
  const left = tests.filter(path => !shown.some(file => file.path === path));
  const more = left.map(async path => {
    const text = (await workspace.readFile(ctx.candidate.commit, path)) ?? '';
    return { path, text, changed: getChangedLines(await workspace.readFile(ctx.baseTree, path), text) };
  });
  return [...(await Promise.all(more)), ...shown];
}

/** The task in the words of whoever wrote it. */
export function getTaskText({ task }: CheckContext): string {
  const steps = task.verificationSteps.map(step => `- ${step}`).join('\n');
  const command = task.validation === null ? '' : `\nIt is judged by: ${task.validation.command}\n`;
  return `**Task ${task.id}:** ${task.title}\n\nDone means:\n${steps || '- what the title says'}\n${command}`;
}

/** The task, the question where there is one, and the files with the numbers of their lines. */
export function getReviewBrief(
  ctx: CheckContext,
  shown: readonly ShownFile[],
  unturned: Unturned | null,
): string {
  const { task, changes, policy } = ctx;
  const asked = getBasis(task) === 'review' ? DESIGN : unturned === null ? '' : QUESTION[unturned];
  const list = changes
    .filter(({ path }) => !isBacklogPath(policy, path) && path !== policy.notesPath)
    .map(({ path, kind }) => `- ${path}: ${kind}`);
  return [
    getTaskText(ctx),
    ...(asked === '' ? [] : [asked]),
    `Changed:\n${list.join('\n')}`,
    'Every line has its number; a + after it marks what was changed.',
    ...shown.map(getFileText),
  ].join('\n\n');
}

const MAX_CHARS = 60_000;
/** So many lines around what was changed are shown of a file that is too long. */
const AROUND = 30;
const FENCE = '````';

function getFileText({ path, text, changed }: ShownFile): string {
  const marked = new Set(changed);
  const lines = text.split('\n').map((line, at) => `${at + 1}${marked.has(at + 1) ? ' +' : '  '} ${line}`);
  const isLong = text.length > MAX_CHARS;
  const near = (at: number) => changed.some(line => Math.abs(line - at - 1) <= AROUND);
  const kept = isLong ? lines.map((line, at) => (near(at) ? line : null)) : lines;
  const body = kept
    .map((line, at) => line ?? (kept[at - 1] === null ? null : '…'))
    .filter(line => line !== null)
    .join('\n');
  return `${path}:\n${FENCE}\n${body.slice(0, MAX_CHARS)}\n${FENCE}`;
}

/** What has to be asked as well where nothing turned from red to green. */
const QUESTION: Readonly<Record<Unturned, string>> = {
  tests: `Only tests were written: they pass on the code as it was before. It is a finding where the task does not ask for
tests, where a step is not tested by them, and where a step asks for something that the code does not do yet.`,
  unchanged: `No test turned from red to green: the task's test passed before the change and passes after it. That is right only
where the task asks for no new behaviour (a refactoring, formatting, a clean-up) and the files below do what it asks. It is a finding
where a step asks for something that was not there before, and where the change is about something else.`,
};

/** What is asked where the files are a design: nobody but a reader can say whether it is one. */
const DESIGN = `The files below are a design: somebody has to be able to build from them without asking. It is a finding where an
item under "Done means" is not answered, where two statements contradict each other, and where something cannot be built as
it stands. Tests are of no use here.`;
