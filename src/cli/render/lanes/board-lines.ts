import { cutToCells, getCells, padToCells } from '../../terminal/cells.ts';
import type { ScreenSize } from '../../terminal/screen.ts';
import { getClock } from '../clock.ts';
import type { BoardView, Totals } from './board.ts';
import type { LaneRow } from './lane.ts';

/** The lines that fit on a screen: a row for each lane, one for the merge queue, one of totals. */
export function getBoardLines(view: BoardView, { columns, rows }: ScreenSize): readonly string[] {
  // A letter in the last cell would leave it open in which row the cursor is.
  const width = columns - 1;
  // One row for the cursor, and one for the last fact.
  const most = Math.max(1, rows - 2);
  const totals = [...(view.queue === null ? [] : [` ${view.queue}`]), getTotalsLine(view.totals, width)];
  const lanes = getLaneLines(view.lanes, most - totals.length, width);
  return [...lanes, ...totals].slice(-most).map(line => cutToCells(line, width).trimEnd());
}

function getLaneLines(all: readonly LaneRow[], most: number, width: number): readonly string[] {
  if (most < 1) return [];
  const shown = all.length <= most ? all : getMostTelling(all, most - 1);
  const texts = shown.map(row => getTexts(row, width));
  const widths = texts.reduce(
    (widest, row) => widest.map((cells, at) => Math.max(cells, getCells(row[at] ?? ''))),
    [1, 0, 0, 0, 0],
  );
  const lines = texts.map(row => ` ${row.map((text, at) => pad(text, at, widths)).join('  ')}`);
  const left = all.length - shown.length;
  return left > 0 ? [...lines, ` +${left} more`] : lines;
}

/** Those that work before those that wait, and all of them in their order. */
function getMostTelling(all: readonly LaneRow[], most: number): readonly LaneRow[] {
  const busy = all.filter(({ elapsedMs }) => elapsedMs !== null);
  const idle = all.filter(({ elapsedMs }) => elapsedMs === null);
  const taken = new Set([...busy, ...idle].slice(0, most));
  return all.filter(row => taken.has(row));
}

function getTexts({ lane, task, phase, elapsedMs, costUsd, doing }: LaneRow, width: number): string[] {
  return [
    lane === 0 ? '' : String(lane),
    task === null ? '' : cutToCells(`task ${task}`, Math.floor(width / 3)),
    phase || (elapsedMs === null && doing === '' ? 'waits' : ''),
    elapsedMs === null ? '' : getClock(elapsedMs),
    costUsd === null ? '' : getUsd(costUsd),
    doing,
  ];
}

/** Numbers to the right, words to the left, and the last one as it is. */
function pad(text: string, at: number, widths: readonly number[]): string {
  const isNumber = at === 0 || at === 3 || at === 4;
  return padToCells(text, widths[at] ?? 0, isNumber ? 'left' : 'right');
}

/** In words where there is room for them, else with the marks that the facts above it have. */
function getTotalsLine(totals: Totals, width: number): string {
  const { landed, rejected, waiting } = totals;
  const money = getMoneyText(totals);
  const join = (texts: readonly string[]) => ` ${[...texts, ...money].join('  ')}`;
  const people = waiting === null ? [] : [`waiting for a person ${waiting}`];
  const long = join([`landed ${landed}`, `rejected ${rejected}`, ...people]);
  if (getCells(long) <= width) return long;
  return join([`✔ ${landed}`, `✘ ${rejected}`, ...(waiting === null ? [] : [`? ${waiting}`])]);
}

function getMoneyText({ spentUsd, reservedUsd, budgetUsd }: Totals): readonly string[] {
  if (spentUsd === null) return [];
  const reserved = reservedUsd > 0 ? ` + ${getUsd(reservedUsd)} reserved` : '';
  const budget = budgetUsd === null ? '' : ` of $${budgetUsd}`;
  return [`${getUsd(spentUsd)}${reserved}${budget}`];
}

function getUsd(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
