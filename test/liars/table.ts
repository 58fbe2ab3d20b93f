import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_NAMES, type CheckName } from '../../src/core/model/check.ts';
import type { Case } from './case.ts';
import { runCases } from './run-cases.ts';
import type { Workshop } from './workshop.ts';

const DOC = join(process.cwd(), 'docs', 'verification.md');
const BEGIN = '<!-- npm run liars -- --table: begin -->';
const END = '<!-- end -->';

interface Row {
  readonly check: CheckName;
  readonly through: readonly string[];
  readonly held: readonly string[];
}

/** Plays each check's witnesses with that check alone switched off; writes what then lands into the docs. */
export async function makeTable(cases: readonly Case[], workshop: Workshop): Promise<boolean> {
  const rows: Row[] = [];
  for (const check of CHECK_NAMES) {
    const witnesses = cases.filter(one => one.witnessOf === check);
    if (witnesses.length === 0) {
      console.error(`✘ no cheat is there for ${check} alone to catch`);
      rows.push({ check, through: [], held: [] });
      continue;
    }
    const on = await runCases(witnesses, { workshop, without: null }, { isQuiet: true });
    const off = await runCases(witnesses, { workshop, without: check }, { isQuiet: true });
    const caught = on.filter(({ outcome }) => !outcome.landed).map(({ one }) => one.id);
    const through = off.filter(({ one, outcome }) => outcome.landed && caught.includes(one.id));
    const row = { check, through: through.map(({ one }) => one.id).sort(), held: caught };
    console.error(
      `${row.through.length > 0 ? '✔' : '✘'} without ${check}: ${row.through.join(', ') || 'nothing gets through'}`,
    );
    for (const { one, outcome } of off)
      if (!outcome.landed)
        console.error(
          `    ${one.id} is held all the same: ${outcome.word} by ${outcome.decidedBy}: ${outcome.reason.slice(0, 200)}`,
        );
    rows.push(row);
  }
  writeTable(rows);
  return rows.every(row => row.through.length > 0);
}

function writeTable(rows: readonly Row[]): void {
  const lines = rows.map(({ check, through }) => `| ${check} | ${getCell(through) || '—'} |`);
  const table = ['| switched off | what lands then |', '|---|---|', ...lines].join('\n');
  const text = readFileSync(DOC, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${DOC} has no place for the table: ${BEGIN} … ${END}`);
  writeFileSync(DOC, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}

/** `family: name (its runners)`, one after the other. */
function getCell(ids: readonly string[]): string {
  const runners = new Map<string, string[]>();
  for (const id of ids) {
    const [name = '', runner = ''] = id.split('@');
    runners.set(name, [...(runners.get(name) ?? []), runner]);
  }
  const names = [...runners].map(([name, all]) => `${name.replace('/', ': ')} (${all.join(', ')})`);
  return names.join('; ');
}
