/** What every section is told. */
export interface BenchOptions {
  /** Fewer runs and only the small sizes: to see that the bench works, not to publish numbers. */
  readonly quick: boolean;
  /** Says on stderr which git commands a session spends its time on. */
  readonly trace: boolean;
  /** A folder of this run's own, gone afterwards. */
  readonly dir: string;
  /** The repository's root. */
  readonly root: string;
  /** Tells the person that something goes on. */
  readonly say: (text: string) => void;
}
