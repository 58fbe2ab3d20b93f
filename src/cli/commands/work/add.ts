import { chmodSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeAtomic } from '../../../adapters/artifacts/write-atomic.ts';
import { readIfThere } from '../../../adapters/git/repo/git-files.ts';
import { commitFiles, findToCommit, getTestNote, readTestFile } from '../../../app/people/approve-test.ts';
import { type Checkout, getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { getDialect, isPlanFolder } from '../../../backlog/codec.ts';
import { addTask, type NewFeature } from '../../../backlog/edit/add-task.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/shell/command-line.ts';
import type { Store } from '../../../ports/index.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';
import { askYes, canAsk } from '../people/ask.ts';

export interface AddOptions extends CommonOptions {
  readonly testFile?: string;
  readonly validation?: string;
  readonly dependsOn?: readonly string[];
  readonly priority?: string;
  readonly step: readonly string[];
  readonly mayChange: readonly string[];
  readonly category?: string;
  readonly size?: 'small' | 'medium' | 'large';
  readonly commit?: boolean;
  readonly newTest?: boolean;
}

/** `harness add`: one more task in the backlog file of this checkout; nothing is written unless all of it is right. */
export async function add(io: Io, title: string, options: AddOptions): Promise<void> {
  if (title.trim() === '')
    throw new HarnessError('usage', 'the title is empty', {
      field: '<title>',
      fix: 'say in one sentence what can be done once it works',
    });
  const checkout = await openCheckout(getWhere(io, options.repo));
  getAdded(checkout, title, options);
  const state = await readTestFile(checkout, options.testFile, options.newTest ?? false);
  const store = await openProjectStore(checkout);
  try {
    const added = await withBacklogFile(store, () => {
      const next = getAdded(checkout, title, options);
      writeKeepingMode(getFile(checkout), next.text);
      return next;
    });
    const paths = await findToCommit(checkout, options.testFile, state);
    const isWanted = options.commit ?? (await offers(io, paths, options.json ?? false));
    const message = `Plan: ${title.length > 60 ? `${title.slice(0, 59)}…` : title}`;
    const commit = isWanted ? await commitFiles(io, checkout.places.root, paths, message) : null;
    const note = commit === null ? getTestNote(options.testFile ?? '', state) : null;
    tell(io, checkout, added, { paths, message, commit, note, json: options.json ?? false });
  } finally {
    await store.close();
  }
}

async function offers(io: Io, paths: readonly string[], json: boolean): Promise<boolean> {
  return !json && canAsk(io) && (await askYes(`Commit ${paths.join(', ')} now, so that it can run?`));
}

interface Added {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly warnings: readonly string[];
}

/** The file with the task in it, checked as a whole: a cycle or a missing dependency stops it here. */
function getAdded(checkout: Checkout, title: string, options: AddOptions): Added {
  const { backlogPath, backlog } = checkout;
  if (isPlanFolder(backlogPath)) {
    throw new HarnessError('usage', `${backlogPath} is a folder of plans, one file for each task`, {
      file: backlogPath,
      fix: `write ${backlogPath}/NNNN-what-it-does.md and commit it`,
    });
  }
  const before = readIfThere(getFile(checkout));
  if (before === null) {
    throw new HarnessError('backlog', `there is no ${backlogPath}`, {
      file: backlogPath,
      fix: 'run "harness init" to create it',
    });
  }
  const { text, id } = addTask(
    before,
    getFeature(title, options),
    backlogPath,
    getDialect(backlogPath) ?? undefined,
  );
  const { warnings } = backlog.parse(text);
  return {
    id,
    title: title.trim(),
    text,
    warnings: warnings.filter(warning => warning.includes(` ${id} `)),
  };
}

function getFeature(title: string, options: AddOptions): NewFeature {
  const { testFile, validation, dependsOn, priority, step, mayChange, category, size } = options;
  return {
    description: title.trim(),
    ...(category === undefined ? {} : { category }),
    ...(testFile === undefined ? {} : { testFile }),
    ...(validation === undefined ? {} : { validation: { command: validation } }),
    ...(step.length === 0 ? {} : { verificationSteps: step }),
    ...(size === undefined ? {} : { size }),
    ...(priority === undefined ? {} : { priority: getPriority(priority) }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    ...(mayChange.length === 0 ? {} : { mayChange }),
  };
}

function getPriority(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.toUpperCase();
}

function getFile({ places, backlogPath }: Checkout): string {
  return join(places.root, backlogPath);
}

const LEASE = { resource: 'backlog-file', ttlMs: 10_000 };

/** One writer at a time, so that two commands at once add two tasks; a killed one holds up nobody for long. */
async function withBacklogFile<T>(store: Store, work: () => T): Promise<T> {
  const owner = `add-${process.pid}`;
  for (;;) {
    const taken = await store.acquire({ ...LEASE, owner });
    if (taken.ok) {
      try {
        return work();
      } finally {
        await store.release(taken.lease);
      }
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Through a link to the file it names, with the rights that it had. */
function writeKeepingMode(path: string, text: string): void {
  const target = realpathSync(path);
  const { mode } = statSync(target);
  writeAtomic(target, text, { durable: true });
  if (statSync(target).mode !== mode) chmodSync(target, mode);
}

interface Told {
  readonly paths: readonly string[];
  readonly message: string;
  readonly commit: string | null;
  readonly note: string | null;
  readonly json: boolean;
}

function tell(io: Io, checkout: Checkout, { id, title, warnings }: Added, told: Told): void {
  const { backlogPath, places } = checkout;
  const isInside = `${io.cwd}/`.startsWith(`${places.root}/`);
  const git = isInside ? 'git' : `git -C ${getShellQuoted(places.root)}`;
  const files = told.paths.map(path =>
    getShellQuoted(isInside ? relative(io.cwd, join(places.root, path)) : path),
  );
  const next =
    told.commit === null
      ? `${git} add ${files.join(' ')} && ${git} commit -m ${getShellQuoted(told.message)}`
      : 'harness run';
  if (told.json) {
    const { commit, note } = told;
    io.out(JSON.stringify({ added: { id, title }, file: backlogPath, commit, note, warnings, next }));
    return;
  }
  const style = createStyle(io.colourOut);
  io.out(`${style.good('added')} task ${id}: ${title}`);
  for (const warning of [...warnings, ...(told.note === null ? [] : [told.note])]) io.err(`note: ${warning}`);
  io.out(
    told.commit === null
      ? `It can run once it is committed (harness add --commit does that, too):\n  ${next}`
      : `${style.good('committed')} ${told.paths.join(', ')} as ${told.commit.slice(0, 10)}`,
  );
  io.out(style.dim('next: harness run'));
}
