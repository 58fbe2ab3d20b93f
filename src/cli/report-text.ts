import type { Report } from '../core/report.ts';
import { getEventLine } from './event-line.ts';

/** The report as Markdown, which also reads well in a terminal. */
export function getReportMarkdown(report: Report): string {
  const { tasks } = report;
  const lines = [
    `# ${report.project || 'Project'}: ${getTime(report.fromMs)} to ${getTime(report.toMs)}`,
    '',
    `${report.proven.length} proven, ${report.rejected.length} rejected, ${report.waiting.length} waiting for you, ` +
      `$${report.costUsd.toFixed(2)} spent. ${tasks.landed} of ${tasks.total} tasks are done.`,
    ...getSection('Waiting for you', report.waiting, one => [
      `- **${one.task}** ${getLine(one.title)}: ${getLine(one.why)} (\`${one.how}\`)`,
    ]),
    ...getSection('Proven', report.proven, one => [
      `- **${one.task}** ${getLine(one.title)}: ${one.commit.slice(0, 10)}, proof ${one.proof.slice(0, 12)} (\`harness proof ${one.task}\`)`,
    ]),
    ...getSection('Done, but never proven here', report.unproven, one => [
      `- **${one.task}** ${getLine(one.title)}: ${one.why}`,
    ]),
    ...getSection('Rejected, and why', report.rejected, one => [
      `- **${one.task}**, attempt ${one.attempt}: ${one.check}: ${getLine(one.why)}`,
      ...one.findings.slice(0, 3).map(finding => `  - ${getLine(finding)}`),
    ]),
    ...getSection('Spent', report.spend, one => [
      `- **${one.task}** ${getLine(one.title)}: $${one.costUsd.toFixed(2)} in ${getCount(one.sessions, 'session')}`,
    ]),
    ...getSection('Risks', report.risks, risk => [`- ${getLine(risk)}`]),
    ...getSection('Next', report.next, line => [`- ${getLine(line)}`]),
    ...getSection('Time line', report.timeline, ({ atMs, event }) => {
      const line = getEventLine(event)?.split('\n', 1)[0];
      return line ? [`- ${getTime(atMs)} ${line.trim()}`] : [];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** A count with its word, in the number it needs. */
export function getCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** To the minute, in the reader's own time zone. */
export function getTime(ms: number): string {
  const at = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function getSection<T>(title: string, items: readonly T[], render: (item: T) => string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.flatMap(render)];
}

/** One line, at most so long that a table of them can still be read. */
function getLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
