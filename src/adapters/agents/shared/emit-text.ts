import type { AgentEvent } from '../../../ports/index.ts';

/** What an agent says; lines that start with `[DECISION]` are told as decisions too. */
export function emitText(text: string, emit: (event: AgentEvent) => void): void {
  if (text.trim() === '') return;
  emit({ type: 'text', text });
  for (const [, decision = ''] of text.matchAll(/^\s*\[DECISION\][ \t]*(\S.*)$/gm)) {
    emit({ type: 'decision', text: decision.trim() });
  }
}
