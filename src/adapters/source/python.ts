import type { Names } from '../../core/testing/runner-names.ts';
import type { AlteredCase, AlteredTest, Reading } from '../../ports/index.ts';
import { type SpawnOwner, spawnContained } from '../process/spawn-contained.ts';
import { type Break, type Edit, getEdited } from './edits.ts';
import PROGRAM from './python.py';

const TIMEOUT_MS = 20_000;

interface Alterations {
  readonly edits: readonly Edit[];
  readonly tests: readonly AlteredCase[];
  readonly nonceNames: readonly string[];
  readonly nonceText: string;
}

/** The Python found in the project's folder reads Python; null where there is none or it cannot parse. */
export function createPython(owner: SpawnOwner, cwd: string) {
  const ask = async <T>(request: object): Promise<T | null> => {
    const result = await spawnContained(owner, {
      file: 'python3',
      args: ['-I', '-S', '-c', PROGRAM],
      cwd,
      timeoutMs: TIMEOUT_MS,
      stdin: JSON.stringify(request),
    });
    if (result.end !== 'exited' || result.exitCode !== 0) return null;
    return JSON.parse(result.stdout) as T;
  };
  return {
    alter: async (text: string, nonce: string): Promise<AlteredTest | null> => {
      const found = await ask<Alterations>({ text, nonce });
      if (!found) return null;
      const end = { start: text.length, end: text.length, text: found.nonceText };
      return {
        text: getEdited(text, [...found.edits, end]),
        textWithNonces: getEdited(text, [end]),
        nonceNames: found.nonceNames,
        alterations: found.edits.length,
        tests: found.tests,
      };
    },
    getNames: (text: string): Promise<Names | null> => ask<Names>({ text, names: true }),
    isSame: async (text: string, other: string): Promise<boolean> =>
      (await ask<{ same: boolean }>({ text, other }))?.same ?? false,
    read: (path: string, text: string): Promise<Reading | null> => ask<Reading>({ text, syntax: path }),
    getBreaks: async (text: string, lines: readonly number[]): Promise<readonly Break[]> =>
      (await ask<{ breaks: readonly Break[] }>({ text, lines }))?.breaks ?? [],
  };
}
