import type { Style } from '../src/cli/terminal/style.ts';
import type { HarnessEvent } from '../src/core/events/event.ts';
import { getCollision } from './lanes/busy-count.ts';
import { getMisdeed } from './story.ts';
import type { Stock } from './take-stock.ts';

type Row = readonly [task: string, attempts: string, tried: string, verdict: string, commit: string];

const HEAD: Row = ['task', 'tries', 'what was tried', 'verdict', 'commit'];

/** The night in one table: a line per task, from what was recorded and what is in git. */
export function getTable(stock: Stock, style: Style): string {
  const rows = stock.taskIds.map(id => getRow(stock, id));
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map(row => row[at]?.length ?? 0)));
  const draw = (row: Row): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd();
  const rule = `  ${widths.map(width => '─'.repeat(width)).join('  ')}`;
  const paint = (row: Row, line: string): string =>
    row[3] === 'proven' ? line.replace(/ proven(?= )/, ` ${style.good('proven')}`) : line;
  return [style.bold(draw(HEAD)), style.dim(rule), ...rows.map(row => paint(row, draw(row)))].join('\n');
}

function getRow({ events, landings }: Stock, id: string): Row {
  const own = events.map(({ event }) => event).filter(event => 'task' in event && event.task === id);
  const verdicts = own.flatMap(event => (event.type === 'verdict.given' ? [event.verdict.word] : []));
  const commits = landings.get(id) ?? [];
  return [
    `${id}  ${getTitle(
      events.map(({ event }) => event),
      id,
    )}`,
    String(own.filter(event => event.type === 'attempt.started').length),
    own.flatMap(getDeed).join(', then '),
    verdicts.at(-1) ?? 'none',
    commits.map(commit => commit.slice(0, 7)).join(' ') || '-',
  ];
}

function getTitle(events: readonly HarnessEvent[], id: string): string {
  const defs = events.flatMap(event => (event.type === 'backlog.synced' ? event.upserted : []));
  return defs.find(def => def.id === id)?.title ?? '';
}

/** What one attempt came to. */
function getDeed(event: HarnessEvent): string[] {
  if (event.type === 'session.ended' && event.outcome === 'interrupted') return ['was cut off by kill -9'];
  if (event.type === 'task.landed') return ['did it'];
  const collision = getCollision(event);
  if (collision !== null) return [collision === 'text' ? 'did not fit' : 'was red with others'];
  if (event.type !== 'verdict.given' || event.verdict.word === 'proven') return [];
  return [getMisdeed(event.verdict)];
}
