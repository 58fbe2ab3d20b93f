import { getChangedLines } from '../../core/code/changed-lines.ts';
import type { Finding, SettledFinding } from '../../core/model/finding.ts';
import { NO_USAGE, type Usage } from '../../core/model/usage.ts';
import { findPlace, hasWords } from '../../core/review/place.ts';
import { type Evidence, getFingerprint, needsReader, settle } from '../../core/review/settle.ts';
import type { Agent } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';
import { getTaskText, type ShownFile } from './brief.ts';
import { reproduce } from './reproduce.ts';
import { readAgain } from './second-reader.ts';

interface Answer {
  readonly findings: readonly Finding[];
  readonly shown: readonly ShownFile[];
  readonly brief: string;
}

/** Looks into each finding: whether its words are there, what its test says, and what a second reader makes of the rest. */
export async function settleFindings(
  ctx: CheckContext,
  agent: Agent,
  { findings, shown, brief }: Answer,
): Promise<{ readonly found: readonly SettledFinding[]; readonly usage: Usage }> {
  const open: { finding: Finding; evidence: Omit<Evidence, 'reader'> }[] = [];
  const dropped: SettledFinding[] = [];
  for (const given of [...getUnmended(ctx, findings), ...findings]) {
    const finding = await placeFinding(ctx, given);
    if (finding === null)
      dropped.push({ ...given, settled: 'unfounded', why: 'what it quotes is not there' });
    else open.push({ finding, evidence: await getEvidence(ctx, finding) });
  }
  const asked = open.filter(({ finding, evidence }) => needsReader(finding, evidence));
  const claims = asked.map(({ finding }) => finding);
  const texts = [getTaskText(ctx), ...shown.map(({ text }) => text)];
  const { answers, usage } = await readAgain(ctx, agent, { claims, brief, texts });
  const settled = open.map(one => {
    const at = asked.indexOf(one);
    return settle(one.finding, {
      ...one.evidence,
      reader: at === -1 ? 'unasked' : (answers[at] ?? 'unknown'),
    });
  });
  return { found: [...settled, ...dropped], usage: claims.length === 0 ? NO_USAGE : usage };
}

/** Findings of the pass before that a test showed are looked at again, whether or not this reviewer names them. */
function getUnmended({ attempt }: CheckContext, findings: readonly Finding[]): readonly Finding[] {
  const named = new Set(findings.map(getFingerprint));
  const shown =
    attempt.reviews?.found.filter(({ settled, test }) => settled === 'blocks' && test !== null) ?? [];
  return shown.filter(finding => !named.has(getFingerprint(finding)));
}

/** With its line put right; null where its words are nowhere. In words alone it has no place, and a second reader decides. */
async function placeFinding(ctx: CheckContext, finding: Finding): Promise<Finding | null> {
  const { file, line, quote } = finding;
  if (file === null) return finding;
  const { workspace } = ctx.ports;
  const text =
    (await workspace.readFile(ctx.candidate.commit, file)) ?? (await workspace.readFile(ctx.baseTree, file));
  if (text === null) return null;
  const place = findPlace(text, line, quote);
  if (place !== null) return { ...finding, line: place };
  return hasWords(getTaskText(ctx), quote) ? { ...finding, line: null } : null;
}

async function getEvidence(ctx: CheckContext, finding: Finding): Promise<Omit<Evidence, 'reader'>> {
  const { criterion, severity } = finding;
  const { verificationSteps, title } = ctx.task;
  const isCited = criterion !== null && [title, ...verificationSteps].some(step => hasWords(step, criterion));
  const test = severity === 'low' ? 'none' : await reproduce(ctx, finding);
  return { test, isCited, isLate: await isLate(ctx, finding) };
}

/** From the second pass on: it could have been said before, where nothing has changed since. */
async function isLate({ attempt, ports, candidate }: CheckContext, finding: Finding): Promise<boolean> {
  const { reviews } = attempt;
  const { file, line } = finding;
  if (!reviews || reviews.tree === null) return false;
  const print = getFingerprint(finding);
  if (reviews.found.some(known => known.settled === 'blocks' && getFingerprint(known) === print))
    return false;
  if (file === null) return false;
  const before = await ports.workspace.readFile(reviews.tree, file);
  const now = await ports.workspace.readFile(candidate.commit, file);
  if (before === now) return true;
  return line !== null && now !== null && !getChangedLines(before, now).includes(line);
}
