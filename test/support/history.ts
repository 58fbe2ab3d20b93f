import type { HarnessEvent, StoredEvent } from '../../src/core/events/event.ts';
import type { Verdict } from '../../src/core/model/check.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import type { Usage } from '../../src/core/model/usage.ts';

export const STORY_START_MS = Date.UTC(2026, 0, 15, 10, 0, 0);

/** One day of a small project: task 1 lands, task 2 is rejected once, task x-3 waits for it. */
export function makeStory(): StoredEvent[] {
  return store([
    {
      type: 'backlog.synced',
      commit: 'c0ffee0000',
      blob: 'b10b',
      project: 'demo',
      upserted: [makeTask('1'), makeTask('2'), makeTask('x-3', ['2'])],
      removed: [],
      accepted: [],
      reopened: [],
    },
    {
      type: 'worker.started',
      worker: { id: 'w1', host: 'box', pid: 4711, startTicks: '9' },
      version: '0.1.0',
    },
    { type: 'baseline.measured', tree: 't0', command: 'npm test', passing: ['a.test > one'], failing: [] },
    ...makeAttempt('1', 1, 1, 'proven'),
    { type: 'task.landed', task: '1', attempt: 1, commit: 'abc1234567', ref: 'refs/heads/main' },
    { type: 'checkpoints.pruned', ids: [] },
    ...makeAttempt('2', 1, 2, 'rejected'),
    {
      type: 'attempt.ended',
      task: '2',
      attempt: 1,
      outcome: 'rejected',
      reason: 'two tests fail:\nfirst and second',
      category: 'TEST_FAIL',
      wip: 'deadbee111',
      findings: ['first fails'],
    },
    { type: 'note.added', level: 'critical', text: 'the disk is nearly full' },
    { type: 'worker.stopped', workerId: 'w1', reason: 'session-limit' },
  ]);
}

/** Numbers events as a store would, a second apart. */
export function store(events: readonly HarnessEvent[]): StoredEvent[] {
  return events.map((event, i) => ({
    seq: i + 1,
    stream: 'project',
    version: i + 1,
    atMs: STORY_START_MS + i * 1000,
    event,
  }));
}

export function makeTask(id: string, dependsOn: readonly string[] = []): TaskDef {
  return {
    id,
    title: `Build part ${id}`,
    category: null,
    priority: 5,
    dependsOn,
    testFile: `tests/${id}.test.ts`,
    validation: null,
    verificationSteps: [],
    verificationType: 'automated',
    manualChecks: [],
    visual: null,
    mayChange: [],
    size: null,
    maxAttempts: 3,
  };
}

export const USAGE: Usage = { inputTokens: 1000, outputTokens: 200, cachedTokens: 50, costUsd: 0.1 };

function makeAttempt(task: string, attempt: number, session: number, word: Verdict['word']): HarnessEvent[] {
  const ref = { task, attempt };
  const checkpoint = {
    id: `cp-${task}`,
    commit: 'ba5e000111',
    seq: 1,
    backlogHash: 'h',
    notesHash: null,
    reason: 'pre_feature' as const,
  };
  const verdict: Verdict = { word, decidedBy: null, reason: '4 checks passed', findings: [] };
  const tree = `tree-${task}`;
  return [
    {
      type: 'attempt.started',
      ...ref,
      session,
      worker: 'w1',
      slot: 0,
      base: 'ba5e000111',
      baseTree: 'bt',
      wip: null,
    },
    { type: 'attempt.prepared', ...ref, dir: '/somewhere', checkpoint },
    { type: 'preflight.passed', ...ref, checks: [] },
    { type: 'session.started', ...ref, session, provider: 'scripted', prompt: 'coding' },
    {
      type: 'session.ended',
      ...ref,
      session,
      outcome: 'claimed',
      summary: 'done',
      usage: USAGE,
      durationMs: 1500,
      transcript: null,
    },
    {
      type: 'candidate.taken',
      ...ref,
      commit: 'cand000111',
      tree,
      backlogProblems: [],
      claims: [task],
      lines: { 'src/b.ts': 20, 'src/a.ts': 10 },
    },
    {
      type: 'verdict.given',
      ...ref,
      verdict,
      checks: [],
      base: 'ba5e000111',
      tree,
      proof: { path: `proofs/${task}.json`, sha256: 'x' },
    },
  ];
}
