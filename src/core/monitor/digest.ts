import type { AgentEvent } from '../model/agent-event.ts';

/** What of a session can be told in a few lines. */
export interface Digest {
  /** Written and not deleted again, newest last. */
  readonly files: readonly string[];
  /** The last ones. */
  readonly commands: readonly {
    readonly command: string;
    readonly exitCode: number | null;
    readonly output: string;
  }[];
  readonly texts: readonly string[];
}

const MAX_FILES = 20;
const MAX_COMMANDS = 8;
const MAX_TEXTS = 20;

/** Listens to a session and keeps of it what somebody who goes on would ask first. */
export function createDigest(root: string): { note(event: AgentEvent): void; get(): Digest } {
  const files = new Set<string>();
  const commands: Digest['commands'][number][] = [];
  const texts: string[] = [];
  return {
    note(event) {
      if (event.type === 'text') keep(texts, event.text.trim().slice(-600), MAX_TEXTS);
      if (event.type === 'command') {
        const { command, exitCode, output } = event;
        keep(
          commands,
          { command: command.slice(0, 200), exitCode, output: output.slice(-600) },
          MAX_COMMANDS,
        );
      }
      if (event.type !== 'file' || event.action === 'read') return;
      const path = event.path.startsWith(`${root}/`) ? event.path.slice(root.length + 1) : event.path;
      files.delete(path);
      if (event.action === 'write') files.add(path);
    },
    get: () => ({
      files: [...files].slice(-MAX_FILES),
      commands: commands.slice(-MAX_COMMANDS),
      texts: texts.filter(text => text !== ''),
    }),
  };
}

function keep<Item>(list: Item[], item: Item, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
