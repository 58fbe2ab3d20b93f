import type { Sight } from '../../ports/index.ts';

/** What it says in the end, in `answer.json`. */
export interface LookAnswer {
  readonly problem: string | null;
  readonly isBrowserFault?: boolean;
  readonly sights: readonly (Omit<Sight, 'png'> & { readonly file: string | null })[];
}

export const ANSWER_FILE = 'answer.json';
