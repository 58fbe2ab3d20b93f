import { expect, it } from 'vitest';
import type { BacklogRecord } from '../../core/views/backlog-record.ts';
import { keepUpdated } from './keep-record.ts';

const RECORD: BacklogRecord = { sessions: 1, lastSessionAtMs: Date.UTC(2026, 0, 16, 10), tasks: new Map() };

it('the time of the last change is kept up where a file has it, and every other byte stays', () => {
  const getText = (time: string) => `{ "last_updated" : "${time}",\n "features": [ ] }\n`;
  expect(keepUpdated(getText('2025-01-15T10:00:00Z'), RECORD)).toBe(getText('2026-01-16T10:00:00Z'));
});

it('a file without it gets none', () => {
  expect(keepUpdated('{ "features": [] }', RECORD)).toBe('{ "features": [] }');
});
