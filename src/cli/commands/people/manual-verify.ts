import { readPersonName, recordDecision, refuseActive } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface ManualVerifyOptions extends CommonOptions {
  readonly pass?: boolean;
  readonly fail?: boolean;
  readonly note?: string;
  readonly by?: string;
}

export interface ApproveOptions extends CommonOptions {
  readonly sendBack?: string;
  readonly note?: string;
  readonly by?: string;
}

/** `harness approve`: a yes to work that waits for a person, or the reason why it goes back. */
export async function approve(io: Io, id: string, options: ApproveOptions): Promise<void> {
  const { sendBack, ...common } = options;
  const word = sendBack === undefined ? { pass: true } : { fail: true, note: sendBack };
  await manualVerify(io, id, { ...common, ...word });
}

/** `harness manual-verify`: shows what a person is asked to look at, or records what they found. */
export async function manualVerify(io: Io, id: string, options: ManualVerifyOptions): Promise<void> {
  const passed = getWord(options);
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    const note = options.note?.trim() ?? '';
    const decision = await recordDecision(store, id, (_, task) =>
      passed === null ? null : getAnswer(task, { passed, note, by }),
    );
    if (passed === null) ask(io, decision.task, options.json ?? false);
    else tell(io, decision.task, { ...decision, passed, by, note }, options.json ?? false);
  } finally {
    await store.close();
  }
}

function getWord({ pass, fail, note }: ManualVerifyOptions): boolean | null {
  const fix = 'harness approve 3, or harness approve 3 --send-back "what is wrong"';
  if (pass && fail) throw new HarnessError('usage', 'it cannot both pass and fail', { field: '--pass', fix });
  if (fail && !note?.trim()) {
    throw new HarnessError('usage', 'what is wrong with it? The agent gets to read it', {
      field: '--note',
      fix,
    });
  }
  if (!pass && !fail) return null;
  return pass === true;
}

/** Null when this very answer is known already. */
function getAnswer(
  task: TaskState,
  answer: { readonly passed: boolean; readonly note: string; readonly by: string },
): HarnessEvent | null {
  const { held, def } = task;
  if (isKnown(task, answer.passed)) return null;
  refuseActive(task, `harness manual-verify ${def.id}`);
  if (!held?.awaitsPerson || task.override) throw getNothingToLookAtError(task);
  return {
    type: 'human.answered',
    task: def.id,
    attempt: held.attempt,
    tree: held.candidate.tree,
    ...answer,
  };
}

function isKnown({ answer, held, status, landed }: TaskState, passed: boolean): boolean {
  if (!answer || answer.passed !== passed) return false;
  if (status === 'landed') return landed?.commit !== null;
  return held?.candidate.tree === answer.tree;
}

function getNothingToLookAtError({ def, status, override, held, history }: TaskState): HarnessError {
  const last = history.at(-1)?.reason.split('\n', 1)[0];
  const why = override
    ? 'it has been overridden'
    : status === 'landed'
      ? 'it has landed'
      : `it is ${status}${held && last ? `: ${last}` : ''}`;
  const fix =
    status === 'landed'
      ? `harness proof ${def.id}   (shows why)`
      : held && !override
        ? `harness log --task ${def.id} tells what the checks found; harness override ${def.id} --with-work --reason "…" lands it all the same, as unproven`
        : `harness run --task ${def.id}   (an agent has to do the work first)`;
  return new HarnessError('usage', `nobody is asked to look at task ${def.id}: ${why}`, {
    field: '<task>',
    fix,
  });
}

/** The question as it was put when the attempt ended. */
function ask(io: Io, task: TaskState, json: boolean): void {
  const { def, held } = task;
  if (!held?.awaitsPerson || task.status !== 'blocked') throw getNothingToLookAtError(task);
  const last = task.history.at(-1);
  io.exit(EXIT_CODES.human);
  if (json) {
    const { attempt, candidate } = held;
    const { commit, tree } = candidate;
    io.out(JSON.stringify({ task: def.id, attempt, commit, tree, question: last?.findings ?? [] }));
    return;
  }
  io.out(`Task ${def.id}: ${def.title}`);
  for (const line of last?.findings ?? []) io.out(`  ${line}`);
  io.out(`next: harness approve ${def.id}   or   harness approve ${def.id} --send-back "what is wrong"`);
}

function tell(
  io: Io,
  task: TaskState,
  said: { readonly recorded: boolean; readonly passed: boolean; readonly by: string; readonly note: string },
  json: boolean,
): void {
  const { id } = task.def;
  const { recorded, passed, by, note } = said;
  const next = task.status === 'landed' ? 'harness status' : `harness run --task ${id}`;
  if (json) {
    io.out(JSON.stringify({ task: id, recorded, passed, by, note, tree: task.answer?.tree ?? null, next }));
    return;
  }
  const what = passed
    ? 'it lands without an agent working on it again'
    : 'it goes back to an agent, with your note';
  io.out(
    recorded
      ? `task ${id}: recorded ${passed ? 'yes' : 'no'} from ${by}; ${what}`
      : `task ${id}: that is known already`,
  );
  io.out(
    `next: ${next}${task.status === 'landed' ? '' : '   (a run that is under way takes it up by itself)'}`,
  );
}
