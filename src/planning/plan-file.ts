/** A file that a plan brings into the project. */
export interface PlanFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}
