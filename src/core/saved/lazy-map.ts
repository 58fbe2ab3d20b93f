/** A map of which some values are read when they are first asked for; what stands for such a value is a number. */
export class LazyMap<V extends object> extends Map<string, V> {
  readonly #read: (row: number) => V;

  constructor(read: (row: number) => V) {
    super();
    this.#read = read;
  }

  /** Keeps the place of a value, in the order of keys. */
  defer(key: string, row: number): void {
    super.set(key, row as unknown as V);
  }

  /** The number of a value that nobody has asked for yet; null for all others. */
  getUnread(key: string): number | null {
    const value: unknown = super.get(key);
    return typeof value === 'number' ? value : null;
  }

  override get(key: string): V | undefined {
    const value: unknown = super.get(key);
    if (typeof value !== 'number') return value as V | undefined;
    const read = this.#read(value);
    super.set(key, read);
    return read;
  }

  override *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key) as V;
  }

  override *entries(): MapIterator<[string, V]> {
    for (const key of this.keys()) yield [key, this.get(key) as V];
  }

  override forEach(visit: (value: V, key: string, map: Map<string, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  override [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
}
