import type { BacklogTask } from '../ports.ts';
import type { EntryField } from './entry-fields.ts';
import type { Sink } from './field-reader.ts';

/** What sets one JSON task list apart from another; everything else about them is the same. */
export interface Dialect {
  /** The key of the list. */
  readonly list: string;
  /** What an entry is called in messages. */
  readonly noun: string;
  /** The format's own names of the fields that `features.json` calls otherwise. */
  readonly names: Readonly<Partial<Record<EntryField, string>>>;
  readonly rootFields: readonly string[];
  /** Fields of the file that an agent may change: nothing is decided by them. */
  readonly freeRootFields: readonly string[];
  /** The same for the fields of an entry. */
  readonly freeFields: readonly string[];
  readonly flag: {
    readonly key: string;
    readonly done: unknown;
    readonly open: unknown;
    /** Null for a value that the format does not know. */
    readonly isDone: (value: unknown) => boolean | null;
  };
  readonly read: (raw: unknown, at: string, sink: Sink) => BacklogTask | null;
}
