import { add } from './add.ts';
import type { Generator } from './change.ts';
import { data } from './data.ts';
import { extract } from './extract.ts';
import { format } from './format.ts';
import { move } from './move.ts';
import { rename } from './rename.ts';
import { words } from './words.ts';

/** Every kind of change, by the word that the summary has for it. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  rename,
  move,
  format,
  add,
  extract,
  words,
  data,
};
