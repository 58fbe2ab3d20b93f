import { findBrowser, PLAYWRIGHT } from '../../adapters/browser/find-browser.ts';
import { getNotices } from '../../config/notices.ts';
import { getCount } from '../../core/base/text.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { findUnread } from '../project/before-agents.ts';
import { readHints } from '../project/landed/hints.ts';
import { type Checkout, findGitDirs } from '../project/open-checkout.ts';
import type { Project } from '../project/open-project.ts';
import type { Finding } from './finding.ts';

/** The repository's state; an operation in progress keeps its branch from being moved, not us from working. */
export async function checkRepo(cwd: string, project: Project | null): Promise<Finding> {
  if (project === null) return { status: 'ok', detail: (await findGitDirs({ cwd, env: {} })).root };
  const { root, baseBranch, notes } = project.repo;
  const detail = `${root}, base branch ${baseBranch}`;
  if (notes.length === 0) return { status: 'ok', detail };
  return {
    status: 'warn',
    detail: [detail, ...notes].join('\n'),
    fix: 'finish or abort what is in progress when you can',
  };
}

/** What the configuration sets without an effect; null when there is nothing of it. */
export function checkSettings({ config, configFile }: Checkout): Finding | null {
  const notices = getNotices(config);
  if (notices.length === 0) return null;
  const detail = notices.map(({ field, text }) => `${field} has no effect: ${text}`).join('\n');
  return { status: 'warn', detail, fix: `take them out of ${configFile}, or leave them for later` };
}

/** Files left for agents that reach none; null when each reaches somebody. */
export async function checkContext({ config, gitDirs }: Checkout): Promise<Finding | null> {
  const unread = await findUnread({ config, root: gitDirs.root });
  if (unread.length === 0) return null;
  return {
    status: 'warn',
    detail: unread.join('\n'),
    fix: 'name them so that somebody reads them, or move them away',
  };
}

/** The committed backlog, and how far the one in the checkout is from it. */
export async function checkBacklog(project: Project): Promise<Finding> {
  const { backlogPath } = project.policy;
  const backlog = await readBacklogAtTip(project);
  const hints = await readHints(project, backlog);
  const text = backlog.text ?? backlog.baseText;
  if (text === null) return { status: 'fail', detail: hints[0] ?? '', fix: `commit ${backlogPath}` };
  const { tasks, warnings } = project.backlog.parse(text);
  const open = tasks.filter(task => !task.passes).length;
  const detail = [
    `${backlogPath}: ${getCount(tasks.length, 'task')}, ${open} open`,
    ...hints,
    ...warnings,
  ].join('\n');
  return { status: hints.length + warnings.length > 0 ? 'warn' : 'ok', detail };
}

/** Whether the application can be looked at, where the project has one to start. */
export function checkBrowser({ config, gitDirs }: Checkout): Finding {
  const { mode, pages, viewports, ready_seconds } = config.tools.visual_verification;
  const { command, url } = config.dev_server;
  if (mode === 'off') return { status: 'ok', detail: 'not wanted (tools.visual_verification.mode is "off")' };
  if (command === null || url === null) {
    const isWanted = mode === 'required';
    const detail = 'no application to look at: dev_server.command and dev_server.url are not set';
    return { status: isWanted ? 'warn' : 'ok', detail, fix: 'set dev_server.command and dev_server.url' };
  }
  const sizes = viewports.map(({ width, height }) => `${width}x${height}`);
  const what = `; looks at ${pages.join(', ')} in ${sizes.join(', ')}, once ${url} answers within ${ready_seconds} s`;
  const found = findBrowser(gitDirs.root);
  if (typeof found !== 'string') {
    const tested =
      found.version === PLAYWRIGHT.version ? '' : `; this Harness is tested with ${PLAYWRIGHT.version}`;
    return {
      status: 'ok',
      detail: `${found.program} by ${PLAYWRIGHT.packageName} ${found.version}${tested}${what}`,
    };
  }
  const [detail = '', ...fix] = found.split(': ');
  return { status: mode === 'required' ? 'fail' : 'warn', detail: `${detail}${what}`, fix: fix.join(': ') };
}
