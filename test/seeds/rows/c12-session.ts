import assert from 'node:assert/strict';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject } from '../stage.ts';

const ONE: readonly Feature[] = [
  { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false },
];

interface SessionState {
  readonly last_session: number;
  readonly status: string;
  readonly current_feature: number | null;
  readonly termination_reason: string | null;
  readonly next_prompt: string;
  readonly stuck_count: number;
  readonly timeout_count: number;
}

const readState = (project: SeedProject) => project.readJson<SessionState>('.harness/session_state.json');

/** What is written down of a session, and what counts as being stuck. */
export const SESSION: readonly Row[] = [
  {
    id: 'C12.1',
    asked: 'session_state.json after a landing',
    command: 'harness run',
    seen: 'status complete, nothing stuck, no reason',
    async show(stage) {
      const project = stage.project({ 'features.json': getBacklog(ONE) });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const state = readState(project);
      assert.deepEqual(
        [state.last_session, state.status, state.current_feature, state.termination_reason],
        [1, 'complete', null, null],
      );
      assert.deepEqual([state.next_prompt, state.stuck_count, state.timeout_count], ['coding', 0, 0]);
    },
  },
  {
    id: 'C12.2',
    asked: 'a session that is cut off by the clock is partial, and counted',
    command: 'harness run with an agent that hangs and a time-out of a few seconds',
    seen: 'status partial, timeout, continuation, timeout_count 1, stuck_count 1',
    async show(stage) {
      const project = stage.project({
        'features.json': getBacklog(ONE),
        '.harness.yaml': `${CONFIG}session: { timeout_minutes: 0.02, timeout_warning_minutes: 0.01 }\n`,
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/2.txt, content: x } }, { hang: true }] }\n',
      });
      await project.harness('run');
      const state = readState(project);
      assert.deepEqual(
        [state.status, state.termination_reason, state.next_prompt],
        ['partial', 'timeout', 'continuation'],
      );
      assert.deepEqual([state.timeout_count, state.stuck_count, state.current_feature], [1, 1, 1]);
    },
  },
  {
    id: 'C12.3',
    asked: 'user_pause after harness pause',
    command: 'harness run; harness pause; harness resume',
    seen: 'termination_reason user_pause, and none once it is resumed',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      await project.harness('pause');
      await project.harness('run');
      assert.equal(readState(project).termination_reason, 'user_pause');
      await project.harness('resume');
      await project.harness('run');
      assert.equal(readState(project).termination_reason, null);
    },
  },
  {
    id: 'C12.4',
    asked: 'stuck_count does not count a broken environment',
    command: 'harness run twice with environment.init: exit 1',
    seen: 'stuck_count 0 in session_state.json and in status',
    async show(stage) {
      const project = stage.project({ '.harness.yaml': `${CONFIG}environment: { init: 'exit 1' }\n` });
      await project.harness('run');
      await project.harness('run');
      assert.equal(readState(project).stuck_count, 0);
      assert.equal((await project.json<{ stuckCount: number }>('status')).stuckCount, 0);
    },
  },
  {
    id: 'C12.5',
    asked: 'nor a provider that cannot be had',
    command: 'harness run with an agent that is refused as overloaded',
    seen: 'stuck_count 0',
    async show(stage) {
      const project = stage.project({
        'agent.yaml': 'tasks: { "*": [{ refuse: { kind: auth, retry_seconds: 0 } }] }\n',
      });
      await project.harness('run');
      assert.equal(readState(project).stuck_count, 0);
    },
  },
  {
    id: 'C12.6',
    asked: 'stuck_count counts sessions in a row on one task that came to nothing, and asks after three',
    command: 'harness run --all with an agent that never comes to an end',
    seen: 'stuck_count 3 and the question stuck',
    async show(stage) {
      const project = stage.project({
        'features.json': getBacklog([{ ...ONE[0], max_attempts: 9 } as Feature]),
        '.harness.yaml': `${CONFIG}session: { timeout_minutes: 0.01, timeout_warning_minutes: 0.005 }\n`,
        'agent.yaml': 'tasks: { "*": [{ hang: true }] }\n',
      });
      await project.harness('run', '--all');
      const inbox = await project.json<{ questions: { kind: string }[] }>('inbox');
      assert.deepEqual(
        inbox.questions.map(({ kind }) => kind),
        ['stuck'],
      );
      assert.equal(readState(project).stuck_count, 3);
    },
  },
  {
    id: 'C12.7',
    asked: 'a record of each session: id, start, end, duration, reason, feature, completed, tokens, cost',
    command: 'harness run --all; .harness/sessions.json; harness report --json',
    seen: 'two sessions with their fields, the same in both',
    async show(stage) {
      const project = stage.project({
        'features.json': getBacklog([
          ONE[0] as Feature,
          { ...ONE[0], id: 2, test_file: 'test/thing-2.sh', max_attempts: 1 } as Feature,
        ]),
        'agent.yaml': `tasks:
  "1": [{ burn: { input: 100, output: 20, cost_usd: 0.5 } }, { edit: { file: src/1.txt, content: x } }, { claim: done }]
  "2": [{ lie: done }]
`,
      });
      await project.harness('run', '--all');
      const [first, second, ...more] = project.readJson<Record<string, unknown>[]>('.harness/sessions.json');
      assert.deepEqual(more, []);
      assert.deepEqual(
        [first?.session_id, first?.feature_id, first?.feature_completed, first?.termination_reason],
        [1, 1, true, 'complete'],
      );
      assert.deepEqual([first?.tokens_used, first?.cost_usd], [{ input: 100, output: 20 }, 0.5]);
      assert.match(String(first?.started_at), /^\d{4}-.*Z$/);
      assert.match(String(first?.ended_at), /^\d{4}-.*Z$/);
      assert.equal(typeof first?.duration_seconds, 'number');
      assert.deepEqual([second?.session_id, second?.feature_id, second?.feature_completed], [2, 2, false]);
      const report = await project.json<{ sessions: { session: number; isLanded: boolean }[] }>('report');
      assert.deepEqual(
        report.sessions.map(({ session, isLanded }) => [session, isLanded]),
        [
          [1, true],
          [2, false],
        ],
      );
    },
  },
];
