import { parse } from 'yaml';
import { getShellQuoted } from '../core/command-line.ts';
import type { RepoView } from './detect.ts';

/** What a project's own pipeline says of it: a second witness beside its manifests. */
export interface Witness {
  readonly installs: readonly string[];
  readonly tests: readonly string[];
}

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** As many as a person would look through. */
const MAX_FILES = 8;

/** Commands of `.github/workflows` that install or test; those that need the pipeline's own variables tell nothing here. */
export async function readWorkflows({ files, readText }: RepoView): Promise<Witness> {
  const paths = [...files].filter(path => WORKFLOW.test(path)).sort();
  const texts = await Promise.all(paths.slice(0, MAX_FILES).map(readText));
  const lines = [...new Set(texts.flatMap(getLines))];
  return {
    installs: lines.filter(line => INSTALLS.test(line) && !/\s(?:-g|--global|-U|--upgrade)\b/.test(line)),
    tests: lines.filter(line => TESTS.test(line) && !INSTALLS.test(line) && !NO_TEST.test(line)),
  };
}

const INSTALLS =
  /^(?:cd \S+ && )?(?:npm (?:ci|i|install)|pnpm (?:i|install)|yarn(?: install| --\S+)*$|yarn install|bun install|(?:python3? -m )?pip3? install|poetry install|uv (?:sync|pip install)|pipenv (?:sync|install)|bundle install|composer (?:install|update)|go mod download|mix deps\.get|dotnet restore|cargo fetch)\b/;
const TESTS = /\b(?:tests?|check|specs?|pytest|tox|nox|ctest|unittest|rspec|phpunit)\b/;
const NO_TEST =
  /^(?:cd \S+ && )?(?:echo|printf|git|gh|curl|wget|docker|sudo|apt|apt-get|brew|if|for|while|export|set|source|mkdir|cat|rm|cp|mv|ln|ls|touch|chmod|chown|find|sed|awk|tar|unzip|test)\b|\b(?:lint|codecov|upload|publish|coveralls|build|format|fmt|clippy|vet)\b/;

/** Every command of every step, as the root of the repository would run it. */
function getLines(text: string): readonly string[] {
  const jobs = Object.values(asObject(asObject(parseOrNothing(text)).jobs));
  const steps = jobs.flatMap(job => asArray(asObject(job).steps)).map(asObject);
  return steps.flatMap(step => {
    const folder = step['working-directory'];
    const go = typeof folder === 'string' ? `cd ${getShellQuoted(folder)} && ` : '';
    const lines = typeof step.run === 'string' ? step.run.replace(/\\\n\s*/g, ' ').split('\n') : [];
    return lines
      .map(line => line.trim())
      .filter(line => line !== '' && !/^#|\$\{\{/.test(line))
      .map(line => go + line);
  });
}

function parseOrNothing(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
