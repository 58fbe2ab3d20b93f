import type { BenchOptions } from '../bench-options.ts';
import type { Report } from '../result.ts';
import { measureAppends } from './appends.ts';
import { measureLog } from './log.ts';
import { measureOpening } from './opening.ts';
import { measurePick } from './pick.ts';

/** What grows with a project: its tasks, its writers, its record. */
export async function measureScale(options: BenchOptions): Promise<Report> {
  const reports = [
    measurePick(options),
    await measureAppends(options),
    await measureLog(options),
    await measureOpening(options),
  ];
  return {
    floors: reports.flatMap(({ floors }) => floors),
    results: reports.flatMap(({ results }) => results),
  };
}
