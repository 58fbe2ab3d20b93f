declare const __FOLD_NAME__: string | undefined;

/** The rules by which this program folds events, as its build named them; null where nobody did, and nothing is saved then. */
export const FOLD_NAME: string | null = typeof __FOLD_NAME__ === 'string' ? __FOLD_NAME__ : null;
