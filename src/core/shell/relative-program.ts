/** The program of a shell line that is told by a path in the project, such as `./agent.sh`; null for any other. */
export function getRelativeProgram(line: string): string | null {
  const [path = ''] = /^(?!\/)\.?[\w@.-]*(?:\/[\w@.-]+)+/.exec(line.trimStart()) ?? [];
  return path === '' || path.split('/').includes('..') ? null : path;
}
