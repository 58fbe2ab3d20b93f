import type { AgentEvent } from '../../core/model/agent-event.ts';

/** What an agent does, in a few words. */
export function getAgentText(event: AgentEvent): string {
  switch (event.type) {
    case 'text':
    case 'decision':
      return event.text;
    case 'checkpoint':
      return `step ${event.step}/${event.total}: ${event.description}`;
    case 'file':
      return `${event.action} ${event.path}`;
    case 'verify':
    case 'visual':
      return `${event.type} ${event.what} ${event.text}`;
    case 'command':
      return event.exitCode === null ? `$ ${event.command}` : `$ ${event.command} → ${event.exitCode}`;
    case 'usage':
      return `$${event.usage.costUsd.toFixed(4)}`;
    case 'error':
      return `${event.kind}: ${event.message}`;
    case 'advice':
      return `! ${event.command}: ${event.message}`;
  }
}
