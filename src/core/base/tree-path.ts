/** The folder that a path of a tree is in; nothing for the top. */
export function getFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Where a relative path leads from a folder of a tree; never out of it. */
export function joinPath(folder: string, rest: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${rest}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The last part of a path. */
export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What a file's name ends in after its last dot, in lower case; nothing for a name without one. */
export function getExtension(path: string): string {
  const name = getBaseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** A path without its extension where that is one of these. */
export function getStem(path: string, extensions: ReadonlySet<string>): string {
  const extension = getExtension(path);
  return extensions.has(extension) ? path.slice(0, -extension.length - 1) : path;
}
