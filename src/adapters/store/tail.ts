/** So many events come with a conflict: more than others append in any moment, and few enough to be read in one. */
export const MAX_TAIL = 100;
