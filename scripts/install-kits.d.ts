export const KITS_DIR: string;
export function installKits(): void;
