import { getWhere } from '../../../app/project/open-checkout.ts';
import { withIndexView } from '../../../app/project/read-index.ts';
import { getAnswer } from '../../render/hot.ts';
import { getStatusView, type StatusView } from '../../render/status-view.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

/** `harness status` and `harness next` the long way: brings the index in step first, then answers the same. */
export async function answerFromIndex(
  io: Io,
  name: 'status' | 'next',
  options: CommonOptions & { readonly all?: boolean },
): Promise<void> {
  const asked = { json: options.json ?? false, all: options.all ?? false };
  await withIndexView(getWhere(io, options.repo), view => io.out(getAnswer(name, view, asked, io)));
}

/** What `status` shows, for whoever shows less of it. */
export async function readStatus(io: Io): Promise<StatusView> {
  const where = getWhere(io, io.env.HARNESS_TARGET_REPO || undefined);
  return withIndexView(where, view => getStatusView(view, { all: false }));
}
