import type { Mutant, Reading, Sources } from '../../ports/index.ts';
import type { SpawnOwner } from '../process/spawn-contained.ts';
import { type Break, getEdited, getSpread } from './edits.ts';
import { getWithNonce } from './nonces.ts';
import { createPython } from './python.ts';

/**
 * Text work on JavaScript and TypeScript here, on Python by the Python of the project's folder. The
 * parser is loaded when it is needed: most commands never do.
 */
export function createSources(owner: SpawnOwner, projectDir: string): Sources {
  const python = createPython(owner, projectDir);
  return {
    alterTest: async ({ path, text, nonce }) => {
      if (path.endsWith('.py')) return python.alter(text, nonce);
      if (!isJs(path)) return getWithNonce(path, text, nonce);
      const { getAlteredJs } = await import('./js-tests.ts');
      return getAlteredJs(path, text, nonce);
    },
    read: async ({ path, text }) => {
      if (/\.(py|toml)$/.test(path)) return python.read(path, text);
      if (path.endsWith('.json')) return { facts: null, ...(await import('./js-module.ts')).readJson(text) };
      if (/\.ya?ml$/.test(path)) return getReading((await import('./problems.ts')).getYamlProblem(text));
      if (path.endsWith('.sh')) return getReading((await import('./problems.ts')).getShellProblem(text));
      if (!SCRIPT.test(path) || /\.d\.[cm]?ts$/.test(path)) return null;
      const read = (await import('./js-module.ts')).readJsModule(path, text);
      return 'problem' in read
        ? { problem: read.problem, facts: null }
        : { problem: null, facts: read.facts };
    },
    mutate: async ({ path, text, lines, limit, seed }) => {
      if (path.endsWith('.py')) return getMutants(text, await python.getBreaks(text, lines), { limit, seed });
      if (!isJs(path)) return null;
      const { getJsBreaks, isSoundJs } = await import('./js-mutants.ts');
      const isSound = isSoundJs(path, text);
      return getMutants(text, getJsBreaks(path, text, lines), { limit, seed }, isSound);
    },
    isSameCode: async ({ path, before, after }) => {
      if (path.endsWith('.py')) return python.isSame(before, after);
      if (!isJs(path)) return getMeant(before) === getMeant(after);
      const { isSameJs } = await import('./js-tree.ts');
      return isSameJs(path, before, after);
    },
    readNames: async ({ path, text }) => {
      if (path.endsWith('.py')) return python.getNames(text);
      if (!isJs(path)) return null;
      const { getJsNames } = await import('./js-tree.ts');
      return getJsNames(path, text);
    },
  };
}

const SCRIPT = /\.([cm]?[jt]s|[jt]sx)$/;

function getReading(problem: string | null): Reading {
  return { problem, facts: null };
}

/** Without empty lines and spaces at the ends of lines, which mean nothing in any language that is known here. */
function getMeant(text: string): string {
  const lines = text.split(/\r?\n/).map(line => line.trimEnd());
  return lines.filter(line => line !== '').join('\n');
}

function isJs(path: string): boolean {
  return /\.([cm]?[jt]s|[jt]sx)$/.test(path) && !path.endsWith('.d.ts');
}

/** A function that says nothing made to say yes, to whoever calls it: an assertion by `if`, or a runner by its matchers. */
function getYes(emptied: Break): Break {
  const text = emptied.text
    .replace('undefined', "({ pass: true, ok: true, message: () => '' })")
    .replace('None', '("yes",)');
  return { ...emptied, text };
}

/** All functions emptied at once comes first, then all of them saying yes, then single breaks spread over what was changed. */
function getMutants(
  text: string,
  breaks: readonly Break[],
  { limit, seed }: { readonly limit: number; readonly seed: string },
  isSound: (text: string) => boolean = () => true,
): readonly Mutant[] {
  const bodies = breaks.filter(one => one.kind === 'body');
  const [first] = bodies;
  const what = bodies.map(one => one.what).join(', ');
  const whole: readonly Mutant[] = first
    ? [
        { text: getEdited(text, bodies), line: first.line, what, kind: 'body' },
        { text: getEdited(text, bodies.map(getYes)), line: first.line, what: 'all say yes', kind: 'yes' },
      ]
    : [];
  const singles = (['single', 'effect'] as const).flatMap(kind => {
    const ofKind = breaks.filter(one => one.kind === kind);
    return getSpread(ofKind, limit, seed).map(one => ({
      text: getEdited(text, [one]),
      line: one.line,
      what: one.what,
      kind,
    }));
  });
  return [...whole, ...singles].filter(mutant => mutant.text !== text && isSound(mutant.text));
}
