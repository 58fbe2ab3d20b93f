/** Flags that every command understands. */
export interface CommonOptions {
  readonly repo?: string;
  readonly json?: boolean;
}
