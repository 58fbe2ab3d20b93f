import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';

/** The built program as it lies in an installation, safe from a build that happens meanwhile. */
export function copyProgram({ dir, root }: BenchOptions): string {
  const place = join(dir, 'program');
  const program = join(place, 'dist', 'harness.js');
  if (existsSync(program)) return program;
  cpSync(join(root, 'dist'), join(place, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  return program;
}
