import { CONFIG } from '../support/sample-project.ts';
import type { Files, Ran, SeedProject } from './stage.ts';

/** Settings with which runs may work side by side. */
export const CONCURRENT: Files = {
  '.harness.yaml': `${CONFIG}session_config: { concurrency_mode: concurrent }\nsandbox: { mode: off }\n`,
};

/** So many runs at once. */
export function runTogether(project: SeedProject, count: number): Promise<readonly Ran[]> {
  return Promise.all(Array.from({ length: count }, () => project.harness('run', '--all')));
}

/** The tasks that are in the history, once for each time. */
export function getLanded(project: SeedProject): string[] {
  const trailers = project.git('log', '--format=%(trailers:key=Harness-Task,valueonly)', 'main');
  return trailers.split('\n').filter(Boolean).sort();
}
