import { resolve } from 'node:path';
import { writeAtomic } from '../../../adapters/artifacts/write-atomic.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { getReport } from '../../../core/views/report.ts';
import { Journal } from '../../../loop/journal.ts';
import { getReportHtml } from '../../render/report-html.ts';
import { getReportMarkdown, getReportPlain } from '../../render/report-text.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';
import { createStyle } from '../../terminal/style.ts';

export interface ReportOptions extends CommonOptions {
  readonly since: string;
  readonly md?: string;
  readonly html?: string;
}

/** `harness report`: the night in one page: what is proven, what is not, what waits for a person. */
export async function report(io: Io, options: ReportOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const nowMs = Date.now();
  const fromMs = getTimeMs(options.since, nowMs, '--since');
  const store = await openProjectStore(project);
  try {
    const journal = new Journal(store, async () => undefined);
    await journal.refresh();
    const data = getReport(journal.state, await store.read({}), { fromMs, toMs: nowMs });
    if (options.md !== undefined) write(io, options.md, getReportMarkdown(data));
    if (options.html !== undefined) write(io, options.html, getReportHtml(data));
    if (options.json) io.out(JSON.stringify(data));
    else if (options.md === undefined && options.html === undefined)
      io.out(getReportPlain(data, createStyle(io.colourOut)).trimEnd());
  } finally {
    await store.close();
  }
}

function write(io: Io, path: string, text: string): void {
  const file = resolve(io.cwd, path);
  writeAtomic(file, text, { durable: true });
  io.err(`written: ${file}`);
}
