import { resolve } from 'node:path';
import { readReport, writeReport } from '../../../app/look/reports.ts';
import { defineCommand } from '../../command/define-command.ts';
import { or, text } from '../../command/flags.ts';
import { getReportHtml } from '../../render/report-html.ts';
import { getReportMarkdown, getReportPlain } from '../../render/report-text.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';

export const report = defineCommand({
  name: 'report',
  group: 'looking',
  summary: 'Report what happened: proven, rejected, waiting for you, spent, next.',
  flags: {
    since: or(text('<time>', 'only from this time on: 12h, 3d, or a date'), '24h'),
    md: text('<file>', 'write it as Markdown'),
    html: text('<file>', 'write it as one page that needs nothing else'),
  },
  examples: ['harness report --since 12h --html report.html'],
  run: async (project, { since, md, html }, { io }) => {
    const toMs = Date.now();
    const data = await readReport(project, { fromMs: getTimeMs(since, toMs, '--since'), toMs });
    const write = (path: string, content: string) => {
      const file = resolve(io.cwd, path);
      writeReport(file, content);
      io.err(`written: ${file}`);
    };
    if (md !== undefined) write(md, getReportMarkdown(data));
    if (html !== undefined) write(html, getReportHtml(data));
    return data;
  },
  render: (data, { style, input: { md, html } }) =>
    md === undefined && html === undefined ? [getReportPlain(data, style).trimEnd()] : [],
});
