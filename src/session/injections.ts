import type { Injections } from '../ports/index.ts';

/** Words for an agent; those said before it listens are kept for it. */
export function createInjections(): Injections & { send(text: string): void } {
  const listeners = new Set<(text: string) => void>();
  const waiting: string[] = [];
  return {
    send(text) {
      if (listeners.size === 0) waiting.push(text);
      for (const listener of listeners) listener(text);
    },
    subscribe(listener) {
      listeners.add(listener);
      for (const text of waiting.splice(0)) listener(text);
      return () => void listeners.delete(listener);
    },
  };
}
