import { escapeHtml as e, getHtmlPage } from '../../core/base/html-page.ts';
import { getCount } from '../../core/base/text.ts';
import { getEventLine } from '../../core/events/event.ts';
import type { Report } from '../../core/views/report.ts';
import { getTime } from './report-text.ts';

/** The report as one page that can be opened, sent and printed. */
export function getReportHtml(report: Report): string {
  const { tasks, proven, rejected, waiting } = report;
  const title = `${report.project || 'Project'}: report`;
  const body = [
    `<h1>${e(title)}</h1>`,
    `<p class="lead">${getTime(report.fromMs)} to ${getTime(report.toMs)}</p>`,
    '<div class="cards">',
    getCard('proven', proven.length, 'good'),
    getCard('rejected or not done', rejected.length, rejected.length > 0 ? 'bad' : ''),
    getCard('waiting for you', waiting.length, waiting.length > 0 ? 'warn' : ''),
    getCard('done in all', `${tasks.landed} / ${tasks.total}`, ''),
    getCard('spent', `$${report.costUsd.toFixed(2)}`, ''),
    '</div>',
    getTable('Waiting for you', ['Task', 'Why', 'What to do'], waiting, one => [
      getTask(one),
      e(one.why),
      `<code>${e(one.how)}</code>`,
    ]),
    getTable('Open again: landed, and broken by a later change', ['Task', 'Why'], report.reopened, one => [
      getTask(one),
      e(one.why),
    ]),
    getTable('Proven', ['Task', 'Commit', 'Proof'], proven, one => [
      getTask(one),
      `<code>${e(one.commit.slice(0, 10))}</code>`,
      `<code>${e(one.proof.slice(0, 12))}</code>`,
    ]),
    getTable('Done, but never proven here', ['Task', 'Why'], report.unproven, one => [
      getTask(one),
      e(one.why),
    ]),
    getTable('Rejected or not done, and why', ['Task', 'Check', 'Findings'], rejected, one => [
      `${getTask(one)}, attempt ${one.attempt}`,
      `<span class="bad">${e(one.check)}</span>`,
      `${e(one.why)}${getFindings(one.findings)}`,
    ]),
    getTable('Spent', ['Task', 'Sessions', 'Cost'], report.spend, one => [
      getTask(one),
      String(one.sessions),
      `$${one.costUsd.toFixed(2)}`,
    ]),
    getList('Risks', report.risks),
    getList('Next', report.next),
    getTable('Time line', ['When', 'What'], report.timeline, one => [
      getTime(one.atMs),
      e((getEventLine(one.event) ?? '').split('\n', 1)[0]?.trim() ?? ''),
    ]),
  ];
  const shown = body.filter(part => part !== '').join('\n');
  return getHtmlPage({ title, style: STYLE, body: `<main>\n${shown}\n</main>` });
}

function getCard(label: string, value: string | number, tone: string): string {
  return `<div class="card"><b class="${tone}">${e(String(value))}</b>${e(label)}</div>`;
}

function getTask({ task, title }: { readonly task: string; readonly title: string }): string {
  return `<b>${e(task)}</b> ${e(title)}`;
}

function getFindings(findings: readonly string[]): string {
  if (findings.length === 0) return '';
  return `<details><summary>${getCount(findings.length, 'finding')}</summary><pre>${e(findings.join('\n').slice(0, 20_000))}</pre></details>`;
}

function getTable<T>(
  title: string,
  heads: readonly string[],
  items: readonly T[],
  render: (item: T) => readonly string[],
): string {
  if (items.length === 0) return '';
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const rows = items.map(item => row(render(item), 'td'));
  return `<h2>${e(title)}</h2>\n<table>${row(heads, 'th')}\n${rows.join('\n')}</table>`;
}

function getList(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2>${e(title)}</h2>\n<ul>${items.map(item => `<li>${e(item)}</li>`).join('')}</ul>`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --soft: #8882 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --warn: #d29922 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem 4rem }
main { max-width: 62rem; margin: auto }
h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem }
p.lead { color: GrayText; margin: 0 0 1.25rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: GrayText } td.num { text-align: right; font-variant-numeric: tabular-nums }
code, pre { font: 13px/1.45 ui-monospace, monospace } pre { background: var(--soft); padding: .6rem .8rem; overflow-x: auto; border-radius: .4rem; white-space: pre-wrap }
.cards { display: flex; flex-wrap: wrap; gap: .75rem } .card { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; min-width: 7rem }
.card b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums } .good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
.none { color: GrayText } details { margin: .2rem 0 } summary { cursor: pointer }
`;
