import type { ClaudeInput } from './sdk.ts';

/** What the agent is told: the prompt, then whatever is put before it while it works. */
export interface ClaudePrompts extends AsyncIterable<ClaudeInput> {
  /** Ignored once the end has been said. */
  push(text: string): void;
  end(): void;
}

export function createClaudePrompts(first: string): ClaudePrompts {
  const waiting = [first];
  let ended = false;
  let wake = (): void => undefined;
  return {
    push: text => {
      if (ended) return;
      waiting.push(text);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const text = waiting.shift();
        if (text !== undefined) yield getInput(text);
        else if (ended) return;
        else
          await new Promise<void>(resolve => {
            wake = resolve;
          });
      }
    },
  };
}

function getInput(content: string): ClaudeInput {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    client_composed: true,
  };
}
