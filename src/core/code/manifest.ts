/** Fields of a package.json that Node and package managers define for the package's users; runners keep theirs elsewhere. */
const OF_PACKAGE: ReadonlySet<string> = new Set([
  ...['name', 'version', 'description', 'keywords', 'homepage', 'bugs', 'license', 'author', 'contributors'],
  ...['funding', 'repository', 'files', 'engines', 'private', 'publishConfig', 'sideEffects'],
  ...['exports', 'imports', 'main', 'module', 'browser', 'types', 'typings', 'bin', 'man', 'directories'],
  ...['dependencies', 'peerDependencies', 'peerDependenciesMeta', 'optionalDependencies'],
]);

/**
 * A manifest with only those changes that are about the package itself; tools keep their settings as they were. Null for
 * what is no manifest, or cannot be read.
 */
export function getPackageChanges(path: string, before: string, after: string): string | null {
  if (path.endsWith('package.json')) return getJsonChanges(before, after);
  return path.endsWith('pyproject.toml') ? getTomlChanges(before, after) : null;
}

function getJsonChanges(before: string, after: string): string | null {
  try {
    const [old, now] = [JSON.parse(before), JSON.parse(after)] as [object, object];
    const isOfPackage = ([key]: [string, unknown]) => OF_PACKAGE.has(key);
    const kept = Object.entries(old).filter(entry => !isOfPackage(entry));
    const taken = Object.entries(now).filter(isOfPackage);
    return `${JSON.stringify(Object.fromEntries([...taken, ...kept]), null, 2)}\n`;
  } catch {
    return null;
  }
}

function getTomlChanges(before: string, after: string): string {
  const isOfTool = (part: string) => part.startsWith('[tool') || part.startsWith('[[tool');
  const kept = getSections(before).filter(isOfTool);
  const taken = getSections(after).filter(part => !isOfTool(part));
  return [...taken, ...kept].join('\n');
}

/** What stands under each header of a TOML file, with it. */
function getSections(text: string): readonly string[] {
  const sections = [''];
  for (const line of text.split('\n')) {
    if (line.startsWith('[')) sections.push(line);
    else sections.push(`${sections.pop() ?? ''}\n${line}`);
  }
  return sections;
}

/** What `npm install` and its kin leave in a folder that has nothing else. */
export const MANIFEST_FILES: readonly string[] = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];
