import type { Landed } from '../../app/project/landed/landed.ts';
import { getUnfilledText } from '../../core/base/gaps.ts';
import { getSeconds } from '../../core/base/text.ts';
import type { Proof, TestsByOutcome } from '../../core/proof/proof-schema.ts';
import type { Style } from '../terminal/style.ts';

const MAX_IDS = 12;

/** A proof for the terminal: what was run, what came out, and why that decided. */
export function getProofLines({ proof, landed, problems }: ShownProof, style: Style): string[] {
  const { statement, record } = proof;
  const { word: outcome, reason } = statement.verdict;
  const paint = outcome === 'proven' && problems.length === 0 ? style.good : style.bad;
  return [
    `Task ${statement.task.id}${landed ? `, ${getClean(landed.title)}` : ''}: ${paint(outcome)} (${getClean(reason)})${style.bad(getClean(getUnfilledText(record.unfilled)))}`,
    `${style.dim('proof   ')} ${proof.hash}`,
    `${style.dim('landed  ')} ${landed ? landed.commit : 'no'}`,
    `${style.dim('base    ')} ${statement.base.commit}`,
    `${style.dim('tree    ')} ${statement.candidate.tree}`,
    `${style.dim('when    ')} ${getWhen(record.at_ms)}, attempt ${record.attempt}, ${getSeconds(record.duration_ms)}`,
    `${style.dim('with    ')} ${getTools(proof)}`,
    `${style.dim('sandbox ')} ${record.sandbox ? `${record.sandbox.level} (${getClean(record.sandbox.reason)})` : 'none'}`,
    `${style.dim('cost    ')} $${record.usage.cost_usd.toFixed(2)} in ${record.usage.sessions} sessions`,
    ...problems.map(problem => style.bad(`NOT TO BE BELIEVED: ${problem}`)),
    '',
    ...getCheckLines(proof, style),
    '',
    ...getTestLines(proof, style),
    ...getObservedLines(proof, style),
    `${Object.keys(statement.files.tests).length} test files and ${Object.keys(statement.files.protected).length} protected files are named by their content`,
  ];
}

/** Text of agents and tools, without what would move the cursor or ring the bell. */
export function getClean(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** When something was, as people write it, the same in every place. */
export function getWhen(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** What it was made with, in one line. */
export function getTools({ record, statement }: Proof): string {
  const tools = Object.entries(record.tools).map(([name, version]) => `${name} ${version}`);
  return getClean([...tools, `tests by ${statement.runner}`].join(', '));
}

function getCheckLines({ record, statement }: Proof, style: Style): string[] {
  return record.checks.flatMap(({ check, status, summary, findings, commands, duration_ms }) => {
    const paint = status === 'passed' ? style.good : status === 'failed' ? style.bad : style.warn;
    const isDecisive = statement.verdict.decided_by === check;
    return [
      `${paint(status.padEnd(12))} ${style.bold(check)}: ${getClean(summary)} ${style.dim(`(${getSeconds(duration_ms)})`)}${isDecisive ? ' ← decided' : ''}`,
      ...commands.map(command => style.dim(`             $ ${getClean(command)}`)),
      ...findings
        .slice(0, MAX_IDS)
        .map(finding => `             ${getClean(finding).replaceAll('\n', '\n             ')}`),
    ];
  });
}

function getTestLines({ statement }: Proof, style: Style): string[] {
  const { own, suite } = statement.tests;
  const before = new Map(getPairs(own.before));
  const mine = getPairs(own.after).map(
    ([id, outcome]) => `  ${getClean(id)}: ${before.get(id) ?? 'not there'} → ${outcome}`,
  );
  const changes = suite.changes.map(
    ({ id, before: was, after }) => `  ${getClean(id)}: ${was ?? 'not there'} → ${after ?? 'gone'}`,
  );
  const counts = Object.entries(suite.before).map(([outcome, ids]) => `${ids.length} ${outcome}`);
  return [
    style.bold("The task's own tests, without → with the change"),
    ...getFew(mine),
    style.bold(
      `The whole suite before: ${counts.join(', ') || 'none'}; ${suite.changes.length} came out otherwise after`,
    ),
    ...getFew(changes),
  ];
}

/** Who judged, by what was seen; files of the change first. */
function getObservedLines({ record }: Proof, style: Style): string[] {
  if (!record.observed) return [];
  const { files, unseen } = record.observed;
  return [
    style.bold('Seen while it was judged'),
    ...getFew(files.map(({ path, role, why }) => `  ${role.padEnd(8)} ${getClean(path)} (${getClean(why)})`)),
    ...unseen.map(command => `  what this opens could not be seen: ${getClean(command)}`),
  ];
}

/** Each test with its outcome. */
export function getPairs(tests: TestsByOutcome): [string, string][] {
  return Object.entries(tests).flatMap(([outcome, ids]) => ids.map((id): [string, string] => [id, outcome]));
}

function getFew(lines: readonly string[]): string[] {
  const more = lines.length - MAX_IDS;
  return [...lines.slice(0, MAX_IDS), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** A proof with what its commit says about it. */
export interface ShownProof {
  readonly proof: Proof;
  /** Null when the task has not landed. */
  readonly landed: Landed | null;
  /** Why it cannot be believed; nothing when it can. */
  readonly problems: readonly string[];
}
