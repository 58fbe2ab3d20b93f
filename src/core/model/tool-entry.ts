/** What an agent said through the harness's own tools, once checked for form. */
export type ToolEntry =
  | {
      readonly type: 'checkpoint';
      readonly step: number;
      readonly total: number;
      readonly description: string;
    }
  | { readonly type: 'decision'; readonly text: string }
  | ({ readonly type: 'question' } & Question)
  | ({ readonly type: 'handoff' } & Handoff)
  | { readonly type: 'claim'; readonly summary: string };

/** Something only a person can give. */
export interface Question {
  readonly question: string;
  readonly why: string;
  readonly steps: readonly string[];
  /** How it will be seen that it was done. */
  readonly check: string;
}

/** Word for whoever goes on. */
export interface Handoff {
  readonly phase: string;
  readonly completed: readonly string[];
  readonly next_step: string;
  readonly critical_files: readonly string[];
  readonly memory_notes: string;
  /** Who wrote it; agents when not said. */
  readonly by?: 'agent' | 'summariser' | 'harness';
}
