import { ReadySet } from './ready-set.ts';
import type { State } from './state.ts';

/**
 * A copy of the state to try events on: whatever is changed in it, the state stays as it is. Only what is touched
 * is copied, so trying costs the same in a project of ten tasks and of ten thousand. Its queue is empty: events
 * fill it and nothing that they do reads it.
 */
export function createDraft(state: State): State {
  return new Drafts().of(state);
}

type Key = string | symbol;
type Fields = Record<Key, unknown>;

/** One draft per original, so that what was one object is one in the copy, too. */
class Drafts {
  readonly #known = new WeakMap<object, object>();

  of<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#known.get(value);
    if (known) return known as T;
    const draft = this.#create(value);
    this.#known.set(value, draft);
    // What has been handed out is a draft already.
    this.#known.set(draft, draft);
    return draft as T;
  }

  #create(value: object): object {
    if (value instanceof ReadySet) return new ReadySet();
    if (value instanceof Map) return new DraftMap(value, this);
    if (value instanceof Set) return new Set(value);
    if (Array.isArray(value) && typeof value[0] !== 'object') return [...value];
    return new Proxy(Array.isArray(value) ? [] : {}, new CopyOnWrite(value as Fields, this));
  }
}

/** An object or array that is copied when it is first written to; what it holds is drafted when it is read. */
class CopyOnWrite implements ProxyHandler<object> {
  readonly #drafts: Drafts;
  #fields: Fields;
  #isOwn = false;

  constructor(base: Fields, drafts: Drafts) {
    this.#fields = base;
    this.#drafts = drafts;
  }

  get(_: object, key: Key): unknown {
    const value = Reflect.get(this.#fields, key);
    return typeof value === 'object' ? this.#drafts.of(value) : value;
  }

  set(_: object, key: Key, value: unknown): boolean {
    return Reflect.set(this.#copy(), key, value);
  }

  deleteProperty(_: object, key: Key): boolean {
    return Reflect.deleteProperty(this.#copy(), key);
  }

  has(_: object, key: Key): boolean {
    return Reflect.has(this.#fields, key);
  }

  ownKeys(): Key[] {
    return Reflect.ownKeys(this.#fields);
  }

  getOwnPropertyDescriptor(target: object, key: Key): PropertyDescriptor | undefined {
    const found = Reflect.getOwnPropertyDescriptor(this.#fields, key);
    if (!found) return undefined;
    // As its stand-in has it: only the length of an array is fixed there.
    const { configurable = true } = Reflect.getOwnPropertyDescriptor(target, key) ?? {};
    return { ...found, writable: true, configurable, value: this.get(target, key) };
  }

  #copy(): Fields {
    if (this.#isOwn) return this.#fields;
    this.#isOwn = true;
    this.#fields = (Array.isArray(this.#fields) ? [...this.#fields] : { ...this.#fields }) as Fields;
    return this.#fields;
  }
}

/** A map over another one, which stays as it is; what comes back after it was gone goes to the end, as in any map. */
class DraftMap<K, V> extends Map<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  readonly #drafts: Drafts;
  readonly #gone = new Set<K>();
  readonly #changed = new Map<K, V>();
  readonly #added = new Map<K, V>();

  constructor(base: ReadonlyMap<K, V>, drafts: Drafts) {
    super();
    this.#base = base;
    this.#drafts = drafts;
  }

  override get size(): number {
    return this.#base.size - this.#gone.size + this.#added.size;
  }

  override has(key: K): boolean {
    return this.#added.has(key) || this.#isInBase(key);
  }

  override get(key: K): V | undefined {
    if (this.#added.has(key)) return this.#drafts.of(this.#added.get(key));
    if (!this.#isInBase(key)) return undefined;
    return this.#drafts.of(this.#changed.has(key) ? this.#changed.get(key) : this.#base.get(key));
  }

  override set(key: K, value: V): this {
    (this.#isInBase(key) ? this.#changed : this.#added).set(key, value);
    return this;
  }

  override delete(key: K): boolean {
    if (!this.#isInBase(key)) return this.#added.delete(key);
    this.#gone.add(key);
    return true;
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  override *keys(): MapIterator<K> {
    for (const key of this.#base.keys()) if (!this.#gone.has(key)) yield key;
    yield* this.#added.keys();
  }

  override *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key) as V;
  }

  override *entries(): MapIterator<[K, V]> {
    for (const key of this.keys()) yield [key, this.get(key) as V];
  }

  override forEach(visit: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  #isInBase(key: K): boolean {
    return this.#base.has(key) && !this.#gone.has(key);
  }
}
