import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getCount, getOneLine } from '../../core/base/text.ts';
import { getEventLine } from '../../core/events/event.ts';
import type { Report } from '../../core/views/report.ts';
import type { Style } from '../terminal/style.ts';
import { getTestsText } from './status-text.ts';

/** How a text says what is what. */
interface Marks {
  readonly title: (text: string) => string;
  readonly section: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
}

/** The report as Markdown. */
export function getReportMarkdown(report: Report): string {
  return getReportText(report, {
    title: text => `# ${text}`,
    section: text => `## ${text}`,
    strong: text => `**${text}**`,
    code: text => `\`${text}\``,
  });
}

/** The same for a terminal, which knows no marks. */
export function getReportPlain(report: Report, { bold }: Pick<Style, 'bold'>): string {
  return getReportText(report, { title: bold, section: bold, strong: bold, code: text => text });
}

function getReportText(report: Report, marks: Marks): string {
  const { tasks } = report;
  const { title, strong, code } = marks;
  const section = <T>(name: string, items: readonly T[], render: (item: T) => string[]): string[] =>
    items.length === 0 ? [] : ['', marks.section(name), '', ...items.flatMap(render)];
  const lines = [
    title(`${report.project || 'Project'}: ${getTime(report.fromMs)} to ${getTime(report.toMs)}`),
    '',
    `${report.proven.length} proven, ${report.rejected.length} rejected or not done, ${report.waiting.length} waiting for you, ` +
      `$${report.costUsd.toFixed(2)} spent. ${tasks.landed} of ${tasks.total} tasks are done.`,
    ...(report.tests ? [`Tests: ${getTestsText(report.tests)}.`] : []),
    ...section('Waiting for you', report.waiting, one => [
      `- ${strong(one.task)} ${getLine(one.title)}: ${getLine(one.why)} (${code(one.how)})`,
    ]),
    ...section('Open again: landed, and broken by a later change', report.reopened, one => [
      `- ${strong(one.task)} ${getLine(one.title)}: ${getLine(one.why)}`,
    ]),
    ...section('Proven', report.proven, one => [
      `- ${strong(one.task)} ${getLine(one.title)}: ${one.commit.slice(0, 10)}, proof ${one.proof.slice(0, 12)} (${code(`harness proof ${getShellQuoted(one.task)}`)})`,
    ]),
    ...section('Done, but never proven here', report.unproven, one => [
      `- ${strong(one.task)} ${getLine(one.title)}: ${one.why}`,
    ]),
    ...section('Rejected or not done, and why', report.rejected, one => [
      `- ${strong(one.task)}, attempt ${one.attempt}${getRounds(one.rounds)}: ${one.check}: ${getLine(one.why)}`,
      ...one.findings.slice(0, 3).map(finding => `  - ${getLine(finding)}`),
    ]),
    ...section('Spent', report.spend, one => [
      `- ${strong(one.task)} ${getLine(one.title)}: $${one.costUsd.toFixed(2)} in ${getCount(one.sessions, 'session')}`,
    ]),
    ...section('Risks', report.risks, risk => [`- ${getLine(risk)}`]),
    ...section('Next', report.next, line => [`- ${getLine(line)}`]),
    ...section('Time line', report.timeline, ({ atMs, event }) => {
      const line = getEventLine(event)?.split('\n', 1)[0];
      return line ? [`- ${getTime(atMs)} ${line.trim()}`] : [];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** To the minute, in the reader's own time zone. */
export function getTime(ms: number): string {
  const at = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function getRounds(rounds: number): string {
  return rounds > 1 ? ` (judged ${rounds} times)` : '';
}

/** So long that a list of them can still be read. */
function getLine(text: string): string {
  return getOneLine(text, 200);
}
