export function buildAll(dist?: string): Promise<void>;
