import { readPersonName, recordWord } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface CleanupOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
}

/** `harness cleanup`: the next session tidies the code, due or not. */
export async function cleanup(io: Io, options: CleanupOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    const { recorded } = await recordWord(store, state =>
      state.cleanup.requested
        ? []
        : [{ type: 'cleanup.requested', by, reason: options.reason?.trim() ?? '' }],
    );
    const next = 'harness run --all   (a run that is under way takes it up by itself)';
    if (options.json) io.out(JSON.stringify({ recorded, next }));
    else io.out(`${recorded ? 'the next session cleans up' : 'that is known already'}\nnext: ${next}`);
  } finally {
    await store.close();
  }
}
