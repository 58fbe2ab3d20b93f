export function getFoldName(core?: string): string;
export const FOLD_NAME: { readonly __FOLD_NAME__: string };
