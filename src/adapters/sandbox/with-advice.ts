import type { CommandFinding } from '../../core/shell/command-policy.ts';
import type { Agent } from '../../ports/index.ts';

/** The same agent, with a word after each of its commands that is worth one. */
export function withAdvice(agent: Agent, find: (command: string) => readonly CommandFinding[]): Agent {
  return {
    ...agent,
    run: (request, onEvent) =>
      agent.run(request, event => {
        onEvent(event);
        if (event.type !== 'command') return;
        for (const { rule, reason } of find(event.command)) {
          onEvent({ type: 'advice', rule, message: reason, command: event.command });
        }
      }),
  };
}
