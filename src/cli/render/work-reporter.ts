import type { Reporter } from '../../app/project/watch.ts';
import { getAgentText } from './agent-text.ts';
import type { Progress } from './progress.ts';

/** What is told of work while it goes on; facts are told otherwise. */
export type WorkReporter = Required<Pick<Reporter, 'phase' | 'agent' | 'command' | 'printed'>>;

/** Shows on a line of progress what is told: of the whole run, or of one lane. */
export function createWorkReporter(progress: Progress): WorkReporter & { close(): void } {
  let endSession: (() => void) | null = null;
  return {
    phase(task, text) {
      endSession?.();
      progress.phase(`${task === null ? '' : `task ${task}, `}${text}`);
      endSession = text === 'session' ? progress.begin('the agent works') : null;
    },
    agent(_, event) {
      progress.printed(getAgentText(event));
    },
    command: progress.begin,
    printed: progress.printed,
    close: () => {
      endSession?.();
      progress.close();
    },
  };
}
