import type { Gates } from '../../ports/index.ts';
import type { Project } from '../project/open-project.ts';
import type { Reporter } from '../project/watch.ts';
import { lookAtFidelity } from './fidelity.ts';
import { lookAtRelease } from './release.ts';
import { removeReleaseFile } from './release-file.ts';

/** The gates as a run asks them: it records what they say. */
export function createGates(project: Project, reporter: Reporter): Gates {
  return {
    judge: async (gate, signal) => {
      if (gate === 'fidelity') return (await lookAtFidelity(project)).judged;
      const { judged } = await lookAtRelease(project, { reporter, signal, isSilent: true });
      if (!judged.passed) removeReleaseFile(project.stateDir);
      return judged;
    },
    withdraw: async () => removeReleaseFile(project.stateDir),
  };
}
