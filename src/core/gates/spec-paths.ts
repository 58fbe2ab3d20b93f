const ENDING = '.acceptance.md';

/** Where the criteria of a specification may lie, the first to be looked for first; the file itself, where that is named. */
export function getAcceptancePaths(specPath: string): readonly string[] {
  if (specPath.endsWith(ENDING)) return [specPath];
  return [specPath.replace(/(?:\.[^./]+)?$/, ENDING), `${specPath}${ENDING}`];
}

/** What a specification is called where it gives its name to something: that of its file. */
export function getSpecName(specPath: string): string {
  const file = specPath.slice(specPath.lastIndexOf('/') + 1);
  return (file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : file).replace(/\.[^.]+$/, '');
}
