import { getUnfilledText } from '../../core/base/gaps.ts';
import { escapeHtml, getHtmlPage } from '../../core/base/html-page.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getSeconds } from '../../core/base/text.ts';
import type { Proof } from '../../core/proof/proof-schema.ts';
import { getPairs, getTools, getWhen, type ShownProof } from './proof-text.ts';

/** A proof as one page that needs nothing else: no scripts, no other files, whatever an agent wrote is text. */
export function getProofHtml({ proof, landed, problems }: ShownProof): string {
  const { statement, record } = proof;
  const { id } = statement.task;
  const isGood = statement.verdict.word === 'proven' && problems.length === 0;
  const body = `<header>
<p class="verdict ${isGood ? 'passed' : 'failed'}">${escapeHtml(statement.verdict.word)}</p>
<h1>Task ${escapeHtml(id)}${landed ? `: ${escapeHtml(landed.title)}` : ''}</h1>
<p>${escapeHtml(`${statement.verdict.reason}${getUnfilledText(record.unfilled)}`)}</p>
${problems.map(problem => `<p class="problem">Not to be believed: ${escapeHtml(problem)}</p>`).join('\n')}
</header>
<main>
<section><h2>What was proven</h2>
${getFacts([
  ['Proof', code(proof.hash)],
  ['Landed as', landed ? code(landed.commit) : 'has not landed'],
  ['On top of', code(statement.base.commit)],
  ['Tree', code(statement.candidate.tree)],
  [
    'Settings',
    statement.config ? `${escapeHtml(statement.config.path)} ${code(statement.config.sha256)}` : 'none',
  ],
  [
    'When',
    `${escapeHtml(getWhen(record.at_ms))}, attempt ${record.attempt}, ${getSeconds(record.duration_ms)}`,
  ],
  ['Made with', escapeHtml(getTools(proof))],
  ['Sandbox', record.sandbox ? escapeHtml(`${record.sandbox.level}: ${record.sandbox.reason}`) : 'none'],
  ['Cost', `$${record.usage.cost_usd.toFixed(2)} in ${record.usage.sessions} sessions`],
])}</section>
<section><h2>Checks</h2>
${record.checks.map(check => getCheck(check, statement.verdict.decided_by === check.check)).join('\n')}</section>
<section><h2>The task's own tests</h2>
${getOwnTests(proof)}</section>
<section><h2>The whole suite</h2>
${getSuite(proof)}</section>
<section><h2>Runs</h2>
${getRuns(proof)}</section>
<section><h2>Files</h2>
${getFiles('Tests', statement.files.tests)}
${getFiles('Protected', statement.files.protected)}
${getFiles('Lockfiles', statement.files.lockfiles)}</section>
</main>
<footer><p>Made again from nothing but the repository: ${code(`harness verify ${getShellQuoted(id)}`)}</p></footer>`;
  return getHtmlPage({ title: `Proof of task ${id}`, style: STYLE, body });
}

const STYLE = `
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--soft:#f3f5f7;--line:#d7dce1;--dim:#57606a;--good:#116329;--bad:#b42318;--warn:#8a5300}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--bg:#14171a;--soft:#1d2125;--line:#343a40;--dim:#9aa4ae;--good:#57c26c;--bad:#ff8177;--warn:#e3b341}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
h1{margin:.2rem 0;font-size:1.6rem}h2{margin:2rem 0 .6rem;font-size:1.1rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
code,pre,.id{font-family:ui-monospace,monospace;font-size:.86em;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.6rem;border-radius:6px;white-space:pre-wrap;margin:.4rem 0}
dl{display:grid;grid-template-columns:8rem 1fr;gap:.25rem 1rem;margin:0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.verdict{display:inline-block;margin:0;padding:.1rem .7rem;border-radius:1rem;border:1.5px solid currentColor;font-weight:600}
.passed{color:var(--good)}.failed,.error,.problem{color:var(--bad)}.warned,.skipped,.inconclusive,.needs-human,.flaky{color:var(--warn)}
.problem{font-weight:600}
.check{border:1px solid var(--line);border-radius:8px;padding:.5rem .8rem;margin:.5rem 0}.check p{margin:.1rem 0}
.dim{color:var(--dim)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92em}
th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
summary{cursor:pointer}footer{margin-top:2.5rem;color:var(--dim)}
@media(max-width:40rem){dl{grid-template-columns:1fr}dt{margin-top:.5rem}}
`;

type Check = Proof['record']['checks'][number];

function getCheck(
  { check, status, summary, findings, commands, duration_ms }: Check,
  isDecisive: boolean,
): string {
  const mark = isDecisive ? ' <strong>decided</strong>' : '';
  return `<div class="check"><p><span class="${status}">${status}</span> <strong>${check}</strong>${mark} <span class="dim">${getSeconds(duration_ms)}</span></p>
<p>${escapeHtml(summary)}</p>
${commands.map(command => `<pre>$ ${escapeHtml(command)}</pre>`).join('')}
${findings.length > 0 ? `<details><summary>${findings.length} findings</summary>${findings.map(finding => `<pre>${escapeHtml(finding)}</pre>`).join('')}</details>` : ''}</div>`;
}

function getOwnTests({ statement }: Proof): string {
  const { before, after } = statement.tests.own;
  const was = new Map(getPairs(before));
  const rows = getPairs(after).map(([id, outcome]) => [
    getId(id),
    getOutcome(was.get(id)),
    getOutcome(outcome),
  ]);
  return getTable(['Test', 'Without the change', 'With it'], rows);
}

function getSuite({ statement }: Proof): string {
  const { before, changes } = statement.tests.suite;
  const groups = Object.entries(before).map(
    ([outcome, ids]) =>
      `<details><summary>${ids.length} <span class="${outcome}">${outcome}</span> before</summary><pre>${escapeHtml(ids.join('\n'))}</pre></details>`,
  );
  const rows = changes.map(({ id, before: was, after }) => [getId(id), getOutcome(was), getOutcome(after)]);
  const changed = rows.length === 0 ? '<p>Nothing came out otherwise with the change.</p>' : '';
  return `${groups.join('\n')}${changed}${rows.length > 0 ? getTable(['Came out otherwise', 'Before', 'After'], rows) : ''}`;
}

function getRuns({ record }: Proof): string {
  const rows = record.runs.map(run => [
    escapeHtml(run.purpose),
    `<code>${escapeHtml(run.command)}</code>`,
    run.timed_out ? 'ran out of time' : `exit ${run.exit_code ?? 'none'}`,
    String(run.tests),
    getSeconds(run.duration_ms),
    `<code>${run.tree.slice(0, 10)}</code>`,
  ]);
  return getTable(['Why', 'Command', 'Came out', 'Tests', 'Took', 'On tree'], rows);
}

function getFiles(name: string, files: Readonly<Record<string, string>>): string {
  const lines = Object.entries(files).map(([path, id]) => `${id}  ${path}`);
  if (lines.length === 0) return '';
  return `<details><summary>${name}: ${lines.length}</summary><pre>${escapeHtml(lines.join('\n'))}</pre></details>`;
}

function getFacts(facts: readonly (readonly [string, string])[]): string {
  return `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}</dl>`;
}

function getTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const body = rows.map(row => `<tr>${row.map(cell => `<td>${cell}</td>`).join('')}</tr>`);
  return `<div class="wide"><table><thead><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function getId(id: string): string {
  return `<span class="id">${escapeHtml(id)}</span>`;
}

function getOutcome(outcome: string | null | undefined): string {
  return outcome ? `<span class="${outcome}">${outcome}</span>` : '<span class="dim">not there</span>';
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}
