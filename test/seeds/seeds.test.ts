import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { makeTempDir } from '../support/git-fixture.ts';
import { type Behaviour, isLater, type Row } from './behaviour.ts';
import { DEFECTS } from './defects.ts';
import { ROWS } from './rows.ts';
import { showRows } from './show-rows.ts';
import { Stage } from './stage.ts';

const show = (rows: readonly Row[], signal = new AbortController().signal) =>
  showRows(rows, { stage: new Stage(makeTempDir(), inject('harnessProgram')), jobs: 2, signal });

/** The capabilities in the guide; N are those that nobody comes from. */
const GUIDE_ROWS = readFileSync(new URL('../../docs/coming-from.md', import.meta.url), 'utf8')
  .split('## Every capability')[1]
  ?.match(/^\| [A-E]\d+ \|/gm)
  ?.map(cell => cell.slice(2, -2)) as readonly string[];

const LANDS: Behaviour = {
  id: 'X1.1',
  asked: 'a task lands',
  command: 'harness run',
  seen: 'exit 0',
  show: async stage => {
    const { code, text } = await stage.project().harness('run');
    if (code !== 0) throw new Error(text);
  },
};

const NEVER_SEEN: Behaviour = {
  ...LANDS,
  id: 'X1.2',
  show: async stage => {
    if (stage.project().has('src/1.txt')) return;
    throw new Error('nothing has landed');
  },
};

it('each behaviour has a number of its own below its row', () => {
  const ids = ROWS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-E]\d+\.\d+$/);
});

it('each behaviour belongs to a row of the guide', () => {
  for (const { id } of ROWS) expect(GUIDE_ROWS, id).toContain(id.split('.')[0]);
});

it('each defect that was met has a behaviour that shows it mended', () => {
  const shown = ROWS.filter(row => !isLater(row)).map(({ id }) => id);
  expect(Object.keys(DEFECTS)).toHaveLength(25);
  for (const [defect, ids] of Object.entries(DEFECTS)) {
    expect(ids.length, defect).toBeGreaterThan(0);
    for (const id of ids) expect(shown, defect).toContain(id);
  }
});

it('what is seen counts as shown, and what is not seen goes red with its reason', async () => {
  const later = { id: 'X1.3', asked: 'a mirror', later: 'GitHub' } as const;
  const summary = await show([LANDS, NEVER_SEEN, later]);
  expect(summary).toMatchObject({ behaviours: 2, shown: 1, later: 1 });
  expect(summary.failed).toMatchObject([{ id: 'X1.2', reason: 'nothing has landed' }]);
});

it('what was interrupted is not shown', async () => {
  expect((await show([LANDS])).shown).toBe(1);
  const summary = await show([LANDS], AbortSignal.abort());
  expect(summary).toMatchObject({ behaviours: 1, shown: 0 });
});
