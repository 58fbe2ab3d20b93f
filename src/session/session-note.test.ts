import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { createStepBench } from '../../test/support/step-bench.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { ToolEntry } from '../core/model/agent-event.ts';
import { SESSION_NOTE_FILE } from '../core/monitor/session-note.ts';
import type { AgentEvent, AgentResult, SessionNoteFile, SessionRequest } from '../ports/index.ts';

const USAGE = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01 };
const WORD = {
  phase: 'half',
  completed: ['the form'],
  next_step: 'the mail',
  critical_files: ['src/1', 'src/gone', '../../etc/passwd'],
  memory_notes: 'n',
};
const DONE: readonly AgentEvent[] = [
  { type: 'file', action: 'write', path: 'src/1' },
  { type: 'command', command: 'npm test', exitCode: 1, output: 'one fails' },
  { type: 'text', text: 'the mail is missing' },
];

interface Story {
  readonly outcome?: AgentResult['outcome'];
  readonly events?: readonly AgentEvent[];
  readonly said?: readonly ToolEntry[];
  readonly file?: SessionNoteFile;
  /** What the summariser does; without it there is none. */
  readonly summary?: () => Promise<AgentResult>;
}

/** One session that ends as told; what is recorded of it. */
async function run(story: Story) {
  const asked: SessionRequest[] = [];
  const { summary } = story;
  const models = { ...simPolicy.models, summariser: { provider: 'sim', model: 'small', effort: null } };
  const bench = await createStepBench({
    policy: summary ? { models } : {},
    wrap: ports => ({
      ...ports,
      toolbox: {
        open: async () => ({ command: '', args: [], env: {} }),
        read: async () => story.said ?? [],
        readSessionNote: async () => story.file ?? null,
      },
      agent: {
        provider: 'sim',
        capabilities: { modes: ['exec', 'complete'], inject: 'none', interrupt: 'none', resume: false },
        run: async (request, emit) => {
          asked.push(request);
          if (request.role === 'summariser' && summary) return summary();
          const files = bench.git.slots.get(1) ?? {};
          Object.assign(files, { 'src/1': 'half' }, story.file ? { [SESSION_NOTE_FILE]: 'x' } : {});
          for (const event of story.events ?? DONE) emit(event);
          return { outcome: story.outcome ?? 'timeout', summary: 'what it said', usage: USAGE };
        },
      },
    }),
  });
  await bench.walkTo('candidate');
  const events = (await bench.ports.store.read({})).map(stored => stored.event);
  const ended = events.find(event => event.type === 'session.ended') as Extract<
    HarnessEvent,
    { type: 'session.ended' }
  >;
  return { bench, asked, events, sessionNote: ended.handoff, ended };
}

const answer = (structured: unknown): (() => Promise<AgentResult>) => {
  return async () => ({ outcome: 'claimed', summary: '', usage: USAGE, structured });
};

describe('a session note', () => {
  it('of the agent is kept, with the files that are there', async () => {
    const { sessionNote, asked } = await run({ said: [{ type: 'handoff', ...WORD }], summary: answer(WORD) });
    expect(sessionNote).toMatchObject({ by: 'agent', next_step: 'the mail', critical_files: ['src/1'] });
    expect(asked).toHaveLength(1);
  });

  it('may be a file instead, which is never part of the work', async () => {
    const { sessionNote, bench } = await run({ file: { sessionNote: WORD } });
    expect(sessionNote).toMatchObject({ by: 'agent', phase: 'half' });
    const tree = bench.journal.state.active.get('1')?.candidate?.tree ?? '';
    expect(Object.keys(await bench.ports.workspace.readBlobs(tree))).not.toContain(SESSION_NOTE_FILE);
    expect(await bench.ports.workspace.readFile(tree, 'src/1')).toBe('half');
  });

  it('that cannot be used is set aside, with a note', async () => {
    const { sessionNote, events } = await run({ file: { why: 'next_step: missing', text: '{}' } });
    expect(sessionNote?.by).toBe('harness');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'note.added', text: expect.stringContaining('next_step: missing') }),
    );
  });

  it('is written by a summariser when the agent left none, and paid for as its work', async () => {
    const { sessionNote, asked, events, bench } = await run({ summary: answer(WORD) });
    expect(sessionNote).toMatchObject({
      by: 'summariser',
      completed: ['the form'],
      critical_files: ['src/1'],
    });
    expect(asked[1]).toMatchObject({ mode: 'complete', model: 'small', role: 'summariser' });
    expect(asked[1]?.prompt).toContain('one fails');
    expect(events).toContainEqual(expect.objectContaining({ type: 'session.spent', role: 'summariser' }));
    expect(bench.journal.state.costs.byRole.get('summariser')?.usage.costUsd).toBe(0.01);
    expect(bench.journal.state.costs.usage.costUsd).toBeCloseTo(0.02);
  });

  it.each<[string, () => Promise<AgentResult>]>([
    ['fails', async () => ({ outcome: 'crashed', summary: 'no', usage: USAGE })],
    ['throws', () => Promise.reject(new Error('gone'))],
    ['answers nonsense', answer({ phase: 'x' })],
  ])('is a list of what was done when the summariser %s', async (_, summary) => {
    const { sessionNote, ended } = await run({ summary });
    expect(ended.outcome).toBe('timeout');
    expect(sessionNote).toMatchObject({ by: 'harness', critical_files: ['src/1'] });
    expect(sessionNote?.memory_notes).toContain('`npm test` ended with 1.');
    expect(sessionNote?.memory_notes).toContain('the mail is missing');
  });

  it('is not made up where nothing was done, or where the work is claimed', async () => {
    expect((await run({ events: [{ type: 'text', text: 'hm' }] })).sessionNote).toBeUndefined();
    const claimed = await run({ outcome: 'claimed', summary: answer(WORD) });
    expect(claimed.sessionNote).toBeUndefined();
    expect(claimed.asked).toHaveLength(1);
  });
});

describe('an agent that stops without a claim', () => {
  it.each([
    [
      'and leaves word keeps its work for the next attempt',
      [{ type: 'handoff', ...WORD } as const],
      'partial',
    ],
    ['and says nothing begins again', [], 'failed'],
  ])('%s', async (_, said, outcome) => {
    const { bench } = await run({ outcome: 'not-done', said });
    await bench.perform('close');
    expect(bench.journal.state.tasks.get('1')?.history.at(-1)).toMatchObject({ outcome });
  });
});
