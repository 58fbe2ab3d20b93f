import { describe, expect, it } from 'vitest';
import { getCells } from '../../terminal/cells.ts';
import type { BoardView, Totals } from './board.ts';
import { getBoardLines } from './board-lines.ts';
import type { LaneRow } from './lane.ts';

const TOTALS: Totals = {
  ...{ landed: 14, rejected: 2, waiting: 1 },
  ...{ spentUsd: 4.1, reservedUsd: 0, budgetUsd: 200 },
};
const WIDE = { columns: 80, rows: 24 };
const SMALL = { columns: 40, rows: 10 };

function row(lane: number, more: Partial<LaneRow> = {}): LaneRow {
  const doing = 'edit src/tax.ts';
  return { lane, task: `${lane + 6}`, phase: 'session', elapsedMs: 252_000, costUsd: 0.31, doing, ...more };
}

const idle = (lane: number): LaneRow => ({
  ...{ lane, task: null, phase: '', elapsedMs: null, costUsd: null, doing: '' },
});

function view(lanes: readonly LaneRow[], more: Partial<BoardView> = {}): BoardView {
  return { lanes, queue: null, totals: TOTALS, ...more };
}

const QUEUE = 'queue 3 (7, 4, 12)  batch 2 on 9c52d5b  0:33';
const TWO = [
  row(1),
  row(2, { task: '11', phase: 'verify', elapsedMs: 41_900, costUsd: 12, doing: 'npm test' }),
];
const LINE = ' landed 14  rejected 2  waiting for a person 1  $4.10 of $200';

describe('several lanes on a screen', () => {
  it.each<[string, BoardView, { columns: number; rows: number }, string[]]>([
    [
      'each has a row, in columns, and the totals are below',
      view(TWO),
      WIDE,
      [
        ' 1  task 7   session  4:12   $0.31  edit src/tax.ts',
        ' 2  task 11  verify   0:41  $12.00  npm test',
        LINE,
      ],
    ],
    [
      'the merge queue has a row of its own once there is one',
      view(TWO.slice(0, 1), { queue: QUEUE }),
      WIDE,
      [' 1  task 7  session  4:12  $0.31  edit src/tax.ts', ` ${QUEUE}`, LINE],
    ],
    [
      'a lane without a task says that it waits, one that does something without a task says what',
      view([idle(1), { ...idle(2), phase: 'sync' }]),
      WIDE,
      [' 1    waits', ' 2    sync', LINE],
    ],
    [
      'what belongs to no lane has no number',
      view([{ ...idle(0), doing: 'npm test' }, row(1)]),
      WIDE,
      [
        '                                  npm test',
        ' 1  task 7  session  4:12  $0.31  edit src/tax.ts',
        LINE,
      ],
    ],
    [
      'numbers of two digits stand under each other',
      view([row(9), row(10)]),
      WIDE,
      [
        '  9  task 15  session  4:12  $0.31  edit src/tax.ts',
        ' 10  task 16  session  4:12  $0.31  edit src/tax.ts',
        LINE,
      ],
    ],
    [
      'on a narrow screen the last column is cut, and the totals have marks for words',
      view(TWO),
      SMALL,
      [
        ' 1  task 7   session  4:12   $0.31  ed…',
        ' 2  task 11  verify   0:41  $12.00  np…',
        ' ✔ 14  ✘ 2  ? 1  $4.10 of $200',
      ],
    ],
    [
      'a task with a long name leaves room for the rest',
      view([row(1, { task: 'a-name-that-goes-on-and-on' })]),
      SMALL,
      [' 1  task a-name-…  session  4:12  $0.3…', ' ✔ 14  ✘ 2  ? 1  $4.10 of $200'],
    ],
    [
      'on a low screen lanes that wait go first, and the rest is counted',
      view([idle(1), ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(lane => row(lane))]),
      SMALL,
      [
        ...[' 2  task 8 ', ' 3  task 9 ', ' 4  task 10', ' 5  task 11', ' 6  task 12', ' 7  task 13'].map(
          start => `${start}  session  4:12  $0.31  edi…`,
        ),
        ' +4 more',
        ' ✔ 14  ✘ 2  ? 1  $4.10 of $200',
      ],
    ],
    [
      'on a screen of three rows there is room for the totals alone',
      view(TWO, { queue: QUEUE }),
      { ...WIDE, rows: 3 },
      [LINE],
    ],
    [
      'wide letters count two',
      view([row(1, { task: '修复', doing: '修复税率的计算方法并添加测试' })]),
      SMALL,
      [' 1  task 修复  session  4:12  $0.31  …', ' ✔ 14  ✘ 2  ? 1  $4.10 of $200'],
    ],
  ])('%s', (_, board, size, lines) => {
    expect(getBoardLines(board, size)).toEqual(lines);
  });

  it.each<[string, Partial<Totals>, string]>([
    ['with money that is reserved', { reservedUsd: 2 }, '$4.10 + $2.00 reserved of $200'],
    ['without a limit', { budgetUsd: null }, '$4.10'],
    ['without money', { spentUsd: null }, 'waiting for a person 1'],
  ])('totals %s', (_, more, end) => {
    const [line = ''] = getBoardLines(view([], { totals: { ...TOTALS, ...more } }), {
      columns: 100,
      rows: 24,
    });
    expect(line.endsWith(end)).toBe(true);
  });

  it('no line reaches the last cell, and two rows are left', () => {
    const lanes = Array.from({ length: 30 }, (_, at) => row(at + 1, { doing: '修复🚀'.repeat(20) }));
    for (let columns = 1; columns < 130; columns += 9) {
      for (let rows = 1; rows < 40; rows += 5) {
        const lines = getBoardLines(view(lanes, { queue: QUEUE }), { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
        for (const line of lines) expect(getCells(line)).toBeLessThan(columns);
      }
    }
  });
});
