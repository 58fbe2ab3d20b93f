/** Fields of a manifest that name what a package hands out. */
const FIELDS = ['main', 'module', 'browser', 'types', 'typings', 'bin', 'exports', 'imports', 'files'];

/**
 * The files that a package's manifest hands out to others. A pattern stands for everything that begins like it; a
 * package that names nothing hands out its index.
 */
export function getEntries(
  manifestPath: string,
  manifest: string,
  files: ReadonlySet<string>,
): readonly string[] {
  const folder = manifestPath.slice(0, manifestPath.lastIndexOf('/') + 1);
  const named = getNamed(manifest).map(target => folder + target.replace(/^\.?\/+/, ''));
  const wanted = named.length > 0 ? named : [`${folder}index.js`];
  return [...files].filter(file => wanted.some(target => isMeant(target, file)));
}

function getNamed(manifest: string): readonly string[] {
  try {
    const fields = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
    return FIELDS.flatMap(field => getTexts(fields[field]));
  } catch {
    return [];
  }
}

function getTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(getTexts);
}

function isMeant(target: string, file: string): boolean {
  const star = target.indexOf('*');
  if (star !== -1) return file.startsWith(target.slice(0, star)) && file.endsWith(target.slice(star + 1));
  if (file === target || file.startsWith(`${target.replace(/\/$/, '')}/`)) return true;
  return file.startsWith(`${target}.`) && !file.slice(target.length + 1).includes('/');
}
