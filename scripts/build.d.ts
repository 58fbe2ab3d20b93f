import type { Plugin } from 'esbuild';

export function buildAll(dist?: string, plugins?: readonly Plugin[]): Promise<void>;
