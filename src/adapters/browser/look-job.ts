import type { Sight, Viewport } from '../../ports.ts';

/** What the looking process is told; it and the application run in one box. */
export interface LookJob {
  readonly dir: string;
  readonly command: string;
  readonly url: string;
  readonly pages: readonly string[];
  readonly viewports: readonly Viewport[];
  readonly readyMs: number;
  /** The module that drives the browser. */
  readonly entry: string;
  readonly program: string;
  /** Pictures and the answer go here. */
  readonly out: string;
}

/** What it says in the end, in `answer.json`. */
export interface LookAnswer {
  readonly problem: string | null;
  readonly isBrowserFault?: boolean;
  readonly sights: readonly (Omit<Sight, 'png'> & { readonly file: string | null })[];
}

export const ANSWER_FILE = 'answer.json';
