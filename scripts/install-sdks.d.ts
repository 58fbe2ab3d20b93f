export const SDKS_DIR: string;
export function installSdks(): void;
