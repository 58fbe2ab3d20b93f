import type { Later, LaterPart, Row } from '../behaviour.ts';

/** What harness engineering has and comes later. */
export const ENGINEERING_LATER: readonly Row[] = [
  ...list('E5', 'phases', [
    'run <id> --phase implement, review, review-ui, fix, preflight, prepare-pr, e2e-verify, merge-check, or all',
    'reviewers and merge-check read only, implement and fix have every tool',
    'the text of a pull request is Markdown alone and begins with its summary',
    '--skip-e2e, --local-only and --resume',
    'each phase leaves its output under task-runs/<plan>/<run>/',
  ]),
  ...list('E5', 'GitHub', ['a pull request is opened, waits for CI and is merged by its label'], 6),
  ...list('E6', 'phases', [
    'findings are Critical, High, Medium or Low, and Low blocks nothing',
    'Low findings become follow-ups instead of fixes',
    'No findings. and No blocking findings. end a review, first or alone on a line',
    'five passes of review at most, unless set',
  ]),
  ...list(
    'E8',
    'control room',
    [
      'daemon start, stop, freeze, unfreeze, status',
      'merged pull requests are seen at each tick',
      'state.json is written whole or not at all, and the next start goes on from it',
      'a log for each plan and run',
    ],
    10,
  ),
  ...list('E9', 'control room', [
    'GET /state on 127.0.0.1:4500',
    'POST /pause, /resume, /stop',
    'POST /freeze and /unfreeze',
    'POST /unblock/:id',
    'nothing but loopback is answered',
  ]),
  ...list(
    'E15',
    'phases',
    [
      'a reviewer of pages looks at the dev server',
      'three widths: 360, 768, 1280',
      'a busy port is an error before the review',
    ],
    10,
  ),
];

function list(row: string, later: LaterPart, asked: readonly string[], from = 1): readonly Later[] {
  return asked.map((what, at) => ({ id: `${row}.${at + from}`, asked: what, later }));
}
