export interface GitObject {
  readonly id: string;
  readonly type: string;
  /** Empty when only the name was asked for. */
  readonly body: Buffer;
}

/** Null for what is not there. */
export type ObjectAnswer = { readonly object: GitObject | null };

/** Takes answers out of what `git cat-file` has written so far. */
export interface AnswerReader {
  add(chunk: Buffer): void;
  /** The next answer, which is about `spec`; null when it has not all come yet. */
  take(how: 'contents' | 'info', spec: string): ObjectAnswer | null;
}

export function createAnswerReader(): AnswerReader {
  let chunks: Buffer[] = [];
  let length = 0;
  let wanted = 1;
  const drop = (data: Buffer, bytes: number): void => {
    chunks = bytes < data.length ? [data.subarray(bytes)] : [];
    length = data.length - bytes;
    wanted = 1;
  };
  return {
    add(chunk) {
      chunks.push(chunk);
      length += chunk.length;
    },
    take(how, spec) {
      if (length < wanted) return null;
      const data = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      chunks = [data];
      const head = getHead(data, spec);
      if (head === null) return null;
      if (!head.found) {
        drop(data, head.next);
        return { object: null };
      }
      const end = how === 'info' ? head.next : head.next + head.size + 1;
      if (data.length < end) {
        wanted = end;
        return null;
      }
      const body = how === 'info' ? Buffer.alloc(0) : data.subarray(head.next, end - 1);
      drop(data, end);
      return { object: { id: head.id, type: head.type, body } };
    },
  };
}

type Head =
  | { found: true; id: string; type: string; size: number; next: number }
  | { found: false; next: number };

/** A name may hold anything but a zero byte, so the lines about missing ones are compared whole. */
function getHead(data: Buffer, spec: string): Head | null {
  for (const why of ['missing', 'ambiguous']) {
    const line = Buffer.from(`${spec} ${why}\n`);
    const start = data.subarray(0, line.length);
    if (start.length === line.length && start.equals(line)) return { found: false, next: line.length };
    if (start.length < line.length && start.equals(line.subarray(0, start.length))) return null;
  }
  const end = data.indexOf('\n');
  if (end < 0) return null;
  const text = data.toString('latin1', 0, end);
  const [, id = '', type = '', size = ''] = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(text) ?? [];
  if (id === '') throw new Error(`git cat-file answered "${text.slice(0, 200)}"`);
  return { found: true, id, type, size: Number(size), next: end + 1 };
}
