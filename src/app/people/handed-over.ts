import { readRef } from '../../adapters/git/landing/refs.ts';
import { openContext } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import type { Project } from '../project/open-project.ts';

/** Where the base stood when everything was handed to a person. */
export const HANDOFF_REF = 'refs/harness/handoff';

/** Whether everything was handed to a person, and nobody has given it back. */
export async function isHandedOver({ repo }: Pick<Project, 'repo'>): Promise<boolean> {
  return (await readRef(openContext(repo, runGit), HANDOFF_REF)) !== null;
}
