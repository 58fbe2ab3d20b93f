import { expect, it } from 'vitest';
import type { TaskRecord } from '../../core/views/backlog-record.ts';
import { getBacklogCodec } from '../codec.ts';

const LANDED: TaskRecord = {
  attempts: 2,
  hasFailed: false,
  startedAtCommit: 'abcdef0123456789',
  errors: ['[TEST_FAIL] no'],
  checkpoints: [{ step: 1, total: 2, description: 'half', atMs: 0 }],
  completedAtMs: 1_000,
};
const keep = (text: string, task: Partial<TaskRecord> = {}) =>
  getBacklogCodec('harness-tasks.json').keepRecord(text, {
    sessions: 3,
    lastSessionAtMs: 2_000,
    tasks: new Map([['task-001', { ...LANDED, ...task }]]),
  });

it('fills in the fields that are there, each laid out as its line is', () => {
  const text =
    '{\n\t"tasks": [\n\t\t{ "id": "task-001", "attempts": 0, "error_log": [] },\n\t\t{\n\t\t\t"id": "x"\n\t\t}\n\t],\n\t"session_count": 1\n}';
  expect(keep(text)).toBe(
    text
      .replace('"attempts": 0', '"attempts": 2')
      .replace('"error_log": []', '"error_log": ["[TEST_FAIL] no"]')
      .replace('"session_count": 1', '"session_count": 3'),
  );
});

it('changes no byte where it says all of it already', () => {
  const text = keep(
    '{"tasks": [{"id": "task-001", "status": "completed", "attempts": 0, "started_at_commit": null, "error_log": [], "checkpoints": [], "completed_at": null}], "session_count": 0, "last_session": null}',
  );
  expect(JSON.parse(text)).toEqual({
    tasks: [
      {
        ...{ id: 'task-001', status: 'completed', attempts: 2, started_at_commit: 'abcdef0123' },
        error_log: ['[TEST_FAIL] no'],
        checkpoints: [{ step: 1, total: 2, description: 'half', timestamp: '1970-01-01T00:00:00Z' }],
        completed_at: '1970-01-01T00:00:01Z',
      },
    ],
    ...{ session_count: 3, last_session: '1970-01-01T00:00:02Z' },
  });
  expect(keep(text, { completedAtMs: 9_000 })).toBe(text);
});

it('keeps steps of another time in front, and an attempt that was counted once', () => {
  const old = { step: 1, total: 3, description: 'old', timestamp: '1969-01-01T00:00:00Z' };
  const entry = { id: 'task-001', status: 'completed', attempts: 5, checkpoints: [old] };
  const text = keep(JSON.stringify({ tasks: [entry] }));
  const half = { step: 1, total: 2, description: 'half', timestamp: '1970-01-01T00:00:00Z' };
  expect(JSON.parse(text).tasks[0]).toEqual({ ...entry, checkpoints: [old, half] });
  expect(keep(text)).toBe(text);
});

it('keeps errors of another time in front, and says none twice', () => {
  const text = '{"tasks": [{"id": "task-001", "error_log": ["[TIMEOUT] old", "[TEST_FAIL] no"]}]}';
  expect(keep(text)).toBe(text);
  expect(JSON.parse(keep(text, { errors: ['[TEST_FAIL] no', '[CONFIG] new'] })).tasks[0].error_log).toEqual([
    '[TIMEOUT] old',
    '[TEST_FAIL] no',
    '[CONFIG] new',
  ]);
});
