import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

/** Newer npm refuses `npm ci` otherwise; an install from a registry without other platforms' binaries drops them. */
it.each(['package-lock.json', 'test/agents/package-lock.json', 'test/liars/package-lock.json'])(
  '%s lists the binaries of every platform, not only of the one it was written on',
  file => {
    const { packages } = JSON.parse(
      readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
    ) as Lockfile;
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(name => !isListed(packages, path, name)),
    );
    expect(missing).toEqual([]);
  },
);

/** The way Node looks: beside the package, then in each folder above it. */
function isListed(packages: Lockfile['packages'], path: string, name: string): boolean {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (`${base}${base === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    if (base === '') return false;
  }
}
