import { chmodSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { getDialect, isPlanFolder } from '../../backlog/codec.ts';
import { addTask, type NewFeature } from '../../backlog/edit/add-task.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Store } from '../../ports/index.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { commitFiles, findToCommit, getTestNote, readTestFile } from './test-file.ts';

export interface AddInput {
  /** What can be done once it works, in one sentence. */
  readonly title: string;
  readonly testFile?: string;
  /** A command that must exit 0. */
  readonly validation?: string;
  readonly dependsOn?: readonly string[];
  readonly priority?: string;
  /** Things that have to be true in the end. */
  readonly step?: readonly string[];
  readonly mayChange?: readonly string[];
  readonly category?: string;
  /** What harness-loop calls its category. */
  readonly phase?: string;
  readonly size?: 'small' | 'medium' | 'large';
  readonly commit?: boolean;
  /** The test file is still to be written. */
  readonly newTest?: boolean;
  /** Asked whether to commit, where that was not said. */
  readonly confirm?: (paths: readonly string[]) => Promise<boolean>;
}

export interface AddResult {
  readonly added: { readonly id: string; readonly title: string };
  /** The backlog. */
  readonly file: string;
  readonly commit: string | null;
  readonly note: string | null;
  readonly warnings: readonly string[];
  readonly root: string;
  /** What has to be committed before it can run. */
  readonly paths: readonly string[];
  readonly message: string;
}

/** One more task in the backlog of this checkout; nothing is written unless all of it is right. */
export async function addTaskToBacklog(checkout: Checkout, input: AddInput): Promise<AddResult> {
  const { title, testFile } = input;
  if (title.trim() === '')
    throw new HarnessError('usage', 'the title is empty', {
      field: '<title>',
      fix: 'say in one sentence what can be done once it works',
    });
  getAdded(checkout, input);
  const state = await readTestFile(checkout, testFile, input.newTest ?? false);
  const { text: _, ...added } = await withBacklogFile(await checkout.store(), () => {
    const next = getAdded(checkout, input);
    writeKeepingMode(getFile(checkout), next.text);
    return next;
  });
  const { gitDirs, backlogPath, env } = checkout;
  const paths = await findToCommit(checkout, testFile, state);
  const isWanted = input.commit ?? (await input.confirm?.(paths)) ?? false;
  const message = `Plan: ${title.length > 60 ? `${title.slice(0, 59)}…` : title}`;
  const commit = isWanted ? await commitFiles({ env }, gitDirs.root, paths, message) : null;
  return {
    ...{ added: { id: added.id, title: added.title }, file: backlogPath, commit },
    note: commit === null ? getTestNote(testFile ?? '', state) : null,
    ...{ warnings: added.warnings, root: gitDirs.root, paths, message },
  };
}

interface Added {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly warnings: readonly string[];
}

/** The file with the task in it, checked as a whole: a cycle or a missing dependency stops it here. */
function getAdded(checkout: Checkout, input: AddInput): Added {
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
  if (
    checkout.config.features.require_test_file &&
    input.testFile === undefined &&
    input.validation === undefined
  )
    throw new HarnessError('usage', '--test-file or --validation is required', {
      field: '--test-file',
      fix: `harness add "${input.title}" --test-file test/new.test.js   (a test of yours)`,
    });
  const { text, id } = addTask(before, getFeature(input), backlogPath, getDialect(backlogPath) ?? undefined);
  const { warnings } = backlog.parse(text);
  return {
    id,
    title: input.title.trim(),
    text,
    warnings: warnings.filter(warning => warning.includes(` ${id} `)),
  };
}

function getFeature(input: AddInput): NewFeature {
  const { testFile, validation, dependsOn, priority, size } = input;
  const category = input.phase ?? input.category;
  const { title, step = [], mayChange = [] } = input;
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

function getFile({ gitDirs, backlogPath }: Checkout): string {
  return join(gitDirs.root, backlogPath);
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
