import type { Runner } from '../runners/runner.ts';
import { RUNNERS } from './runners.ts';

const ALL: readonly Runner[] = Object.values(RUNNERS);

/**
 * Names that no product has business with: variables that test runners and we set, and packages that are test
 * runners. The only words that refuse work, as nothing a run shows can tell code that waits for them from other code.
 */
const VARIABLES: ReadonlySet<string> = new Set([
  ...ALL.flatMap(({ variables = [] }) => variables),
  ...['HARNESS_RUN', 'HARNESS_TASK_ID', 'HARNESS_TASK_FILE', 'HARNESS_ATTEMPT', 'HARNESS_SESSION'],
  ...['HARNESS_ROLE', 'HARNESS_ROUND', 'HARNESS_PROMPT_FILE'],
  // Commands and tests pass these on under the product's own names.
  ...['HARNESS_SLOT', 'HARNESS_DB_SUFFIX', 'HARNESS_PORT'],
  ...Array.from({ length: 9 }, (_, at) => `HARNESS_PORT_${at + 2}`),
]);
const PACKAGES: ReadonlySet<string> = new Set(ALL.flatMap(({ packages = [] }) => packages));

/** Names that a text says and another did not. */
export interface Names {
  /** Modules that are loaded, as they are written. */
  readonly modules: readonly string[];
  /** Identifiers, names of properties, and texts that are one word. */
  readonly words: readonly string[];
}

/** What product code begins to say of runners, one line each; what the project declares as its own need is free. */
export function getRunnerNames(
  before: Names | null,
  after: Names,
  isDeclared: (module: string) => boolean,
): readonly string[] {
  const [modules, words] = [new Set(before?.modules), new Set(before?.words)];
  const fresh = {
    modules: after.modules.filter(name => !modules.has(name)),
    words: after.words.filter(name => !words.has(name)),
  };
  return [
    ...fresh.words.filter(name => VARIABLES.has(name)).map(name => `asks for ${name}`),
    ...fresh.modules
      .filter(name => PACKAGES.has(getPackage(name)) && !isDeclared(getPackage(name)))
      .map(name => `loads ${name}`),
  ];
}

/** The package that a module is of. */
function getPackage(module: string): string {
  const parts = module.split(module.startsWith('_') || !module.includes('/') ? '.' : '/');
  return module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? module);
}
