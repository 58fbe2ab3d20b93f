import type { Plugin } from 'esbuild';

export function buildAll(dist?: string, plugins?: readonly Plugin[]): Promise<void>;
export function buildModules(
  entryPoints: Readonly<Record<string, string>>,
  dist: string,
  plugins?: readonly Plugin[],
): Promise<void>;
