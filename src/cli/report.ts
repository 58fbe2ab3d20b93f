import { resolve } from 'node:path';
import { writeAtomic } from '../adapters/artifacts/write-atomic.ts';
import { getReport } from '../core/report.ts';
import { Journal } from '../journal.ts';
import type { Io } from './io.ts';
import { getWhere } from './open-checkout.ts';
import { openProject } from './open-project.ts';
import { getTimeMs } from './parse-time.ts';
import type { CommonOptions } from './program.ts';
import { openProjectStore } from './read-index.ts';
import { getReportHtml } from './report-html.ts';
import { getReportMarkdown, getReportPlain } from './report-text.ts';
import { createStyle } from './style.ts';

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
