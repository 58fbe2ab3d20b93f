import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** Where maps and sets are in a value; the compiler keeps it complete. */
type Shape<T> = {
  readonly [K in keyof T as true extends HasCollections<NonNullable<T[K]>> ? K : never]-?: ShapeOf<T[K]>;
};
type ShapeOf<T> =
  T extends ReadonlyMap<unknown, unknown> ? 'map' : T extends ReadonlySet<unknown> ? 'set' : Shape<T>;
type HasCollections<T> = T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
  ? true
  : T extends readonly unknown[]
    ? false
    : T extends object
      ? keyof Shape<T> extends never
        ? false
        : true
      : false;

/** All of a state but its tasks, which are saved apart. */
export type RestOfState = Omit<State, 'tasks' | 'open' | 'dependents' | 'ready'>;

export const REST_SHAPE: Shape<RestOfState> = {
  active: 'map',
  workers: 'map',
  people: {
    control: { workers: 'set' },
    questions: 'map',
    unasked: 'set',
    waived: 'set',
    contextFiles: 'set',
  },
  suite: { tolerated: 'set', quarantine: 'map' },
  costs: { byRole: 'map' },
  gates: { last: 'map' },
  quality: { fileSizes: 'map' },
  trouble: { providers: 'map', crowds: 'map' },
};

export const TASK_SHAPE: Shape<TaskState> = { people: { waived: 'set' } };

type AnyShape = { readonly [key: string]: 'map' | 'set' | AnyShape };
type Fields = Record<string, unknown>;

/** A copy that JSON can carry: maps and sets as lists. */
export function toPlain(value: object, shape: object): object {
  const plain: Fields = { ...value };
  for (const [key, kind] of Object.entries(shape as AnyShape))
    plain[key] =
      typeof kind === 'string' ? [...(plain[key] as Iterable<unknown>)] : toPlain(plain[key] as object, kind);
  return plain;
}

/** The way back, in place. */
export function fromPlain<T>(value: unknown, shape: Shape<T>): T {
  restore(value as Fields, shape as AnyShape);
  return value as T;
}

function restore(fields: Fields, shape: AnyShape): void {
  for (const [key, kind] of Object.entries(shape)) {
    const value = fields[key];
    if (kind === 'map') fields[key] = new Map(value as [unknown, unknown][]);
    else if (kind === 'set') fields[key] = new Set(value as unknown[]);
    else restore(value as Fields, kind);
  }
}
