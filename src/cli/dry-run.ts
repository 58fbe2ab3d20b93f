import type { Io } from './io.ts';
import type { Project } from './open-project.ts';
import type { RunCommandOptions } from './run.ts';

/** `harness run --dry-run`: what would happen, and nothing of it. */
export async function dryRun(io: Io, project: Project, _options: RunCommandOptions): Promise<void> {
  io.out(`would run in ${project.root}`);
}
