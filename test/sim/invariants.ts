import type { StoredEvent } from '../../src/core/events/event.ts';
import { fold } from '../../src/core/events/fold.ts';
import type { AppendRequest, AppendResult, Store } from '../../src/ports/index.ts';
import { judgeQueue } from './queue-invariants.ts';
import type { SimGit } from './sim-git.ts';

/** Watches everything that is acknowledged, and at the end asks whether it was all true. */
export class Witness {
  readonly violations: string[] = [];
  readonly #acknowledged: string[] = [];
  readonly #holders = new Map<string, number>();

  /** The store with every acknowledgement noted. */
  watch(store: Store): Store {
    return new Proxy(store, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as unknown;
        if (key !== 'append' || typeof method !== 'function')
          return typeof method === 'function' ? method.bind(target) : method;
        return async (request: AppendRequest) => {
          const result = (await Reflect.apply(method, target, [request])) as AppendResult;
          if (result.ok) this.#note(request, result);
          return result;
        };
      },
    });
  }

  #note(request: AppendRequest, result: Extract<AppendResult, { ok: true }>): void {
    for (const event of request.events) this.#acknowledged.push(JSON.stringify(event));
    const used = request.lease;
    const holder = used && this.#holders.get(used.resource);
    if (used && holder !== undefined && holder > used.fence) {
      this.violations.push(
        `lease held by two: ${used.resource} was written under fence ${used.fence} after ${holder}`,
      );
    }
    if (result.lease && request.acquire) {
      const { resource, fence } = result.lease;
      const former = this.#holders.get(resource);
      if (former !== undefined && former >= fence)
        this.violations.push(`lease held by two: fence ${fence} of ${resource} was given twice`);
      this.#holders.set(resource, fence);
    }
  }

  /** The invariants, asked once everything has come to rest. */
  judge(events: readonly StoredEvent[], git: SimGit, cameToRest: boolean): void {
    if (!cameToRest) this.violations.push('the run did not come to rest');
    this.#judgeFacts(events);
    const landedCommits = this.#judgeLandings(git);
    this.#judgeProgress(git);
    this.#judgeProofs(events, git);
    this.#judgeBranch(events, git);
    this.violations.push(...judgeQueue(events, git));
    let state: ReturnType<typeof fold>;
    try {
      state = fold(events);
    } catch (error) {
      this.violations.push(
        `the history does not fold: ${error instanceof Error ? error.message : String(error)}`,
      );
      return;
    }
    if (cameToRest && state.active.size > 0)
      this.violations.push('came to rest with an attempt still active');
    for (const id of cameToRest ? state.people.unasked : [])
      this.violations.push(`task ${id} came to a stop, and nobody was asked`);
    for (const task of state.tasks.values()) {
      const inGit = landedCommits.has(task.def.id);
      if (task.status === 'landed' && !inGit)
        this.violations.push(`task ${task.def.id} is recorded as landed and is not in git`);
      if (cameToRest && inGit && task.status !== 'landed' && task.status !== 'removed')
        this.violations.push(`task ${task.def.id} is in git and recorded as ${task.status}`);
    }
    if (cameToRest) this.#judgeRecords(events, git);
    if (cameToRest) this.#judgeNotes(events, git);
    const files = git.filesOf(git.base);
    for (const path of git.byHand)
      if (!(path in files)) this.violations.push(`${path}, committed by hand, is lost`);
  }

  #judgeFacts(events: readonly StoredEvent[]): void {
    const stored = events.map(entry => JSON.stringify(entry.event));
    const left = new Map<string, number>();
    for (const text of stored) left.set(text, (left.get(text) ?? 0) + 1);
    for (const text of this.#acknowledged) {
      const count = left.get(text) ?? 0;
      if (count === 0) this.violations.push(`a recorded fact is lost: ${text.slice(0, 120)}`);
      else left.set(text, count - 1);
    }
  }

  #judgeLandings(git: SimGit): Set<string> {
    const landed = new Set<string>();
    for (const commit of git.history(git.base)) {
      const id = /Harness-Task: (\S+)/.exec(commit.message)?.[1];
      if (!id) continue;
      if (landed.has(id)) this.violations.push(`task ${id} landed twice`);
      landed.add(id);
    }
    return landed;
  }

  /** Whatever was killed in between: an attempt that is in git is recorded as the one that landed. */
  #judgeRecords(events: readonly StoredEvent[], git: SimGit): void {
    for (const { message } of git.history(git.base)) {
      const [, id, attempt] = /Harness-Task: (\S+)\nHarness-Attempt: (\d+)/.exec(message) ?? [];
      if (!id) continue;
      const isRecorded = events.some(
        ({ event }) => event.type === 'task.landed' && event.task === id && event.attempt === Number(attempt),
      );
      if (!isRecorded)
        this.violations.push(`attempt ${attempt} of task ${id} is in git and not recorded as landed`);
    }
  }

  /** Whatever was put onto whatever: the progress notes tell of each proven landing, once. */
  #judgeProgress(git: SimGit): void {
    const notes = git.filesOf(git.base)['claude-progress.txt'] ?? '';
    for (const { message } of git.history(git.base)) {
      const task = /Harness-Task: (\S+)/.exec(message)?.[1];
      if (!task || !message.includes('Harness-Proof:')) continue;
      const count = notes.split(`- Feature #${task} complete\n`).length - 1;
      if (count !== 1) this.violations.push(`the notes tell ${count} times of task ${task}, which landed`);
    }
  }

  /** Every landed commit names its proof, and has it with it. */
  #judgeNotes(events: readonly StoredEvent[], git: SimGit): void {
    for (const { id: commit, message } of git.history(git.base)) {
      const task = /Harness-Task: (\S+)/.exec(message)?.[1];
      if (!task) continue;
      const hash = /Harness-Proof: (\w+)/.exec(message)?.[1];
      if (!hash) this.violations.push(`task ${task} landed without naming its proof`);
      else if (!git.notes.get(commit)?.includes(`"hash": "${hash}"`) && !isToldLost(events, task))
        this.violations.push(`the proof of task ${task} did not come along`);
    }
  }

  /** Commit by commit as the branch moved: a person's, a proven one, or a batch that was proven as a whole. */
  #judgeBranch(events: readonly StoredEvent[], git: SimGit): void {
    const batches = new Map(
      events.flatMap(({ event }) => (event.type === 'batch.proven' ? [[event.commit, event.tree]] : [])),
    );
    for (const { id, message, tree } of git.line(git.base)) {
      if (message === 'by hand' || message === 'first' || message.includes('Harness-Proof:')) continue;
      if (batches.get(id) !== tree) this.violations.push(`${id} is on the branch, and nobody has proven it`);
      const files = JSON.parse(tree) as Record<string, string>;
      for (const { message: own } of git.history(id)) {
        const task = /Harness-Task: (\d+)/.exec(own)?.[1];
        if (task && files[`src/${task}`] !== 'good')
          this.violations.push(`task ${task} is lost in batch ${id}`);
      }
    }
  }

  /** Independent of every check: what is on the base really is good, and somebody proved it. */
  #judgeProofs(events: readonly StoredEvent[], git: SimGit): void {
    for (const commit of git.history(git.base)) {
      const id = /Harness-Task: (\S+)/.exec(commit.message)?.[1];
      if (!id) continue;
      const proven = events.some(
        ({ event }) =>
          event.type === 'verdict.given' &&
          event.task === id &&
          event.verdict.word === 'proven' &&
          event.tree === commit.tree,
      );
      if (!proven) this.violations.push(`task ${id} landed without a proven verdict`);
      const files = JSON.parse(commit.tree) as Record<string, string>;
      // A clean-up has nothing of its own to show.
      if (id.startsWith('cleanup-')) continue;
      if (files[`src/${id}`] !== 'good' || files[`test/${id}`] !== `assert ${id}`)
        this.violations.push(`task ${id} landed and is not done`);
      if (files['src/old'] !== 'good') this.violations.push(`task ${id} landed and broke what worked`);
    }
  }
}

/** A worker that slept may overwrite the proof of the one that took over: that is told, not hidden. */
function isToldLost(events: readonly StoredEvent[], task: string): boolean {
  return events.some(
    ({ event }) => event.type === 'note.added' && event.task === task && event.text.includes('was lost'),
  );
}
