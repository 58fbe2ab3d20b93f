import * as z from 'zod';
import { optionalRepo, optionalText, projectPath, text } from './fields.ts';

/** Who this project is. */
export const project = z
  .strictObject({
    name: text()
      .default('')
      .describe('Name of the project, shown in prompts, logs and reports; that of its folder when absent.'),
    github_repo: optionalRepo().describe(
      'GitHub repository, as `owner/name`, whose issues mirror the backlog.',
    ),
  })
  .prefault({})
  .describe('Identity of the project.');

const queue = z
  .strictObject({
    batch: z.int().min(1).max(64).default(8).describe('Most tasks that land together.'),
    company: z.int().min(1).default(3).describe('So many proven tasks are not kept waiting for more.'),
    wait_seconds: z
      .number()
      .min(0)
      .default(120)
      .describe('Nor is one that has waited so long while others are at work.'),
  })
  .prefault({})
  .describe('How proven work of several workers waits for company, so that one run of the suite is for all.');

/** Which branch work starts from and where it goes. */
export const git = z
  .strictObject({
    base_branch: z
      .string()
      .trim()
      .regex(/^(?!-)[^\s~^:?*[\\]+$/, { error: 'must be a branch name' })
      .nullable()
      .default(null)
      .describe('Branch that tasks start from and land on; detected from the repository when absent.'),
    land: z
      .enum(['base', 'branch', 'pr'])
      .default('base')
      .describe(
        'Where proven work goes: `base` moves the base branch, `branch` collects it on `harness/landed`, `pr` is reserved for pull requests.',
      ),
    remote: z
      .string()
      .trim()
      .regex(/^(?!-)[\w./-]+$/, { error: 'must be the name of a remote' })
      .nullable()
      .default(null)
      .describe(
        'Remote that several hosts share: work starts from its branch and is pushed there, and no local branch moves.',
      ),
    history: z
      .enum(['merge', 'linear'])
      .default('merge')
      .describe(
        'How work of several workers lands where the base has moved on: `merge` merges what was judged, byte for byte, in batches; `linear` puts it onto the tip and proves it again.',
      ),
    queue,
  })
  .prefault({})
  .describe('How work starts from and returns to git.');

/** Where the files shared with people are. */
export const paths = z
  .strictObject({
    features: projectPath().default('features.json').describe('The backlog file.'),
    progress: projectPath()
      .default('claude-progress.txt')
      .describe('The progress notes: where this file is committed, every landing adds an entry to it.'),
    prompts: projectPath()
      .default('harness/prompts')
      .describe("Directory of the project's own prompt templates, `<name>.md`; see docs/prompts.md."),
    state_dir: projectPath()
      .default('.harness')
      .describe("Directory of the harness's own records, and of nothing else; it keeps itself out of git."),
  })
  .prefault({})
  .describe('Locations of the files the harness shares with people and agents.');

/** Where the records are kept. */
export const store = z
  .strictObject({
    url: optionalText().describe(
      'PostgreSQL database that keeps the records for several machines, `postgres://user@host/database`; with a password in it as a reference to a variable, or in `HARNESS_STORE_URL` alone; ' +
        'they are in the state directory when absent. TLS is verified unless the URL says `sslmode=disable`.',
    ),
    project: optionalText().describe(
      'Name of this project in that database, the same in every clone; made of its first commit and the path of the backlog when absent.',
    ),
  })
  .prefault({})
  .describe('Where the records of the project are kept: by default in a file of the state directory.');

/** What to do with records of another version. */
export const compatibility = z
  .strictObject({
    on_older_state: z
      .enum(['migrate', 'abort'])
      .default('migrate')
      .describe('What happens to records written by an older harness.'),
    on_newer_state: z
      .enum(['abort', 'warn'])
      .default('abort')
      .describe('What happens on meeting records written by a newer harness.'),
    backup_before_migrate: z
      .boolean()
      .default(true)
      .describe('Whether records are copied aside before they are migrated.'),
  })
  .prefault({})
  .describe('How records of other versions are treated.');

/** The mirror of the backlog in GitHub Issues. */
export const github = z
  .strictObject({
    sync_mode: z
      .enum(['mirror', 'none'])
      .default('mirror')
      .describe('Whether issues follow the backlog; nothing happens without a repository.'),
    sync_on_session_end: z
      .boolean()
      .default(true)
      .describe('Whether each finished session updates the issues.'),
    create_missing_issues: z.boolean().default(true).describe('Whether a task without an issue gets one.'),
    close_on_verify: z.boolean().default(true).describe('Whether an issue closes when its task is proven.'),
    on_sync_failure: z
      .enum(['warn', 'fail'])
      .default('warn')
      .describe('Whether an unreachable GitHub is only reported or ends the run.'),
  })
  .prefault({})
  .describe('Mirroring of the backlog to GitHub Issues; the backlog stays the truth.');
