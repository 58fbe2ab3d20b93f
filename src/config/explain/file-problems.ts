import type { Config } from '../sections/schema.ts';
import type { Problem } from './problem.ts';

const [ALLOWED, DENIED] = ['tools.filesystem.allowed_paths', 'tools.filesystem.denied_paths'];

/** From the root of a disk, or of somebody's home: an agent's tree lies elsewhere, so that it would hold for nothing. */
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\])/;
const OUTSIDE = /^(?:~|\.\.(?:[/\\]|$))/;

/** Paths for agents that would not do what they say: nothing allowed, or a place outside of the tree that agents get. */
export function getFileProblems({ tools }: Config): readonly Problem[] {
  const { allowed_paths: allowed, denied_paths: denied } = tools.filesystem;
  return [
    ...(allowed.length === 0 ? [NOTHING_ALLOWED] : []),
    ...allowed
      .filter(path => ABSOLUTE.test(path) || OUTSIDE.test(path))
      .map(path => getProblem(ALLOWED, path)),
    ...denied.filter(path => ABSOLUTE.test(path)).map(path => getProblem(DENIED, path)),
  ];
}

const NOTHING_ALLOWED: Problem = {
  field: ALLOWED,
  message: 'is empty: an agent that may change nothing can do no task',
  fix: 'Name the folders it may work in, or remove the setting: then it is the whole project.',
};

function getProblem(field: string, path: string): Problem {
  return {
    field,
    message: `has ${path}, which is not a path in the project: agents work in a copy of it that lies elsewhere`,
    fix: 'Write it as seen from the root of the project, such as src/; what lies outside is out of reach anyway.',
  };
}
