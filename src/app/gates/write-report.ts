import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNames } from '../../adapters/artifacts/log-file.ts';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { type GatePage, getGateHtml, getGateMarkdown } from '../../core/gates/gate-page.ts';
import { getSlug } from '../../core/gates/requirements.ts';
import { getSpecName } from '../../core/gates/spec-paths.ts';
import type { GateName } from '../../core/model/facts.ts';
import type { Project } from '../project/open-project.ts';

interface Content {
  readonly specPath: string;
  /** What the report says, for programs. */
  readonly facts: object;
  readonly page: GatePage;
}

const LONGEST_NAME = 60;

/**
 * `reports/<gate>/YYYY-MM-DD-<spec>.{md,json,html}` in the state directory; where the last one says the same, it stays
 * the report. Returns the path of the text.
 */
export function writeReport(
  { stateDir, config }: Project,
  gate: GateName,
  { specPath, facts, page }: Content,
): string {
  const folder = join('reports', gate);
  const slug = getSlug(getSpecName(specPath)).slice(0, LONGEST_NAME) || 'spec';
  const json = `${JSON.stringify(facts, null, 2)}\n`;
  const getPath = (name: string, ending: string) => join(stateDir, folder, `${name}.${ending}`);
  const named = readNames(join(stateDir, folder)).filter(
    name => name.slice(DATE.length + 1) === `${slug}.json`,
  );
  const last = named
    .sort()
    .at(-1)
    ?.replace(/\.json$/, '');
  const isSame =
    last !== undefined &&
    readFileSync(getPath(last, 'json'), 'utf8') === json &&
    ['md', 'html'].every(ending => existsSync(getPath(last, ending)));
  const name = isSame ? last : `${new Date().toISOString().slice(0, DATE.length)}-${slug}`;
  if (!isSame) {
    writeAtomic(getPath(name, 'md'), getGateMarkdown(page), { durable: true });
    writeAtomic(getPath(name, 'html'), getGateHtml(page), { durable: true });
    // Last: what is there in full is what is compared with.
    writeAtomic(getPath(name, 'json'), json, { durable: true });
  }
  return join(config.paths.state_dir, folder, `${name}.md`);
}

const DATE = 'YYYY-MM-DD';
