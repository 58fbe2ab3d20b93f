/** What a package offers to whoever installs it. */
export interface PackageEntry {
  readonly name: string;
  /** Names of programs. */
  readonly bins: readonly string[];
  readonly hasMain: boolean;
}

/** What of a package.json can be installed and started; null for one that no package can be made of. */
export function getPackageEntry(manifest: string | null, hasIndex: boolean): PackageEntry | null {
  const { name, version, bin, main, exports, module } = parse(manifest);
  if (typeof name !== 'string' || !/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) || typeof version !== 'string')
    return null;
  const own = name.slice(name.indexOf('/') + 1);
  const bins =
    typeof bin === 'string' ? [own] : Object.keys(Object(bin)).filter(word => /^[\w.~-]+$/.test(word));
  const hasMain = [main, exports, module].some(entry => entry !== undefined) || hasIndex;
  return bins.length > 0 || hasMain ? { name, bins, hasMain } : null;
}

function parse(manifest: string | null): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(manifest ?? '{}')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
