/**
 * The tasks that can be taken now, in the order they will be. A binary heap over rank strings with
 * lazy deletion: adding, removing and picking cost O(log n), and nothing ever rescans the graph.
 */
export class ReadySet {
  readonly #ranks = new Map<string, string>();
  readonly #heap: Entry[] = [];

  get size(): number {
    return this.#ranks.size;
  }

  rankOf(id: string): string | null {
    return this.#ranks.get(id) ?? null;
  }

  set(id: string, rank: string | null): void {
    if (rank === null) {
      this.#ranks.delete(id);
      return;
    }
    if (this.#ranks.get(id) === rank) return;
    this.#ranks.set(id, rank);
    this.#push({ id, rank });
  }

  /** The first in the queue that `skip` does not refuse, or null. */
  peek(skip?: (id: string) => boolean): string | null {
    const refused: Entry[] = [];
    let found: string | null = null;
    for (let top = this.#top(); top !== null; top = this.#top()) {
      if (!skip?.(top.id)) {
        found = top.id;
        break;
      }
      refused.push(top);
      this.#pop();
    }
    for (const entry of refused) this.#push(entry);
    return found;
  }

  #top(): Entry | null {
    while (this.#heap.length > 0) {
      const top = this.#heap[0] as Entry;
      if (this.#ranks.get(top.id) === top.rank) return top;
      this.#pop();
    }
    return null;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[i] = heap[parent] as Entry;
      i = parent;
    }
    heap[i] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Entry;
    if (heap.length === 0) return;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[i] = heap[child] as Entry;
      i = child;
    }
    heap[i] = last;
  }
}

interface Entry {
  readonly id: string;
  readonly rank: string;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.id < b.id);
}
