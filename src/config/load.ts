import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { getErrorMessage, HarnessError } from '../core/base/failure.ts';
import { type CheckSource, checkConfig } from './check-config.ts';
import type { Env } from './expand-env.ts';
import { getConfigError, type Position, type Problem } from './explain/problem.ts';
import { findConfigFile } from './find-config.ts';
import type { Config } from './sections/schema.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** Relative to the root. */
  readonly file: string;
}

/** Reads the project's configuration, whichever of its four names it goes by. */
export async function loadConfig(root: string, env: Env, name = basename(root)): Promise<LoadedConfig> {
  const file = findConfigFile(root);
  if (file === null) {
    throw new HarnessError('config', `no configuration found in ${root}`, {
      file: '.harness.yaml',
      fix: 'Run "harness init" to write one.',
    });
  }
  const path = join(root, file);
  const absent = readAbsent(root, file, name);
  if (file.endsWith('.ts')) {
    const value = await runConfigModule(path, file);
    return { config: checkConfig(value, { file, env, absent, locate: () => null }), file };
  }
  return { config: parseConfig(await readText(path, file), file, env, absent), file };
}

/** What a file need not say where it lies: the project's name, and plans where harness.config files keep theirs. */
function readAbsent(root: string, file: string, name: string): NonNullable<CheckSource['absent']> {
  const named = [['project.name', name]] as const;
  const hasPlans = file.startsWith('harness.config.') && existsSync(join(root, PLANS));
  return hasPlans && !existsSync(join(root, 'features.json'))
    ? [...named, ['plan.dir', PLANS], ['plan.completed_dir', COMPLETED]]
    : named;
}

const PLANS = 'docs/exec-plans/active';
const COMPLETED = 'docs/exec-plans/completed';

/** The same without a disk: for a file read at a git commit. A `.ts` file has to be run, so not here. */
export function parseConfig(text: string, file: string, env: Env, absent?: CheckSource['absent']): Config {
  if (file.endsWith('.ts')) {
    throw new HarnessError('config', `${file} is a program and cannot be read as text`, {
      file,
      fix: 'Use .harness.yaml or harness.config.json where the configuration is read from a commit.',
    });
  }
  const { value, locate } = parseText(text, file);
  return checkConfig(value, { file, env, locate, ...(absent ? { absent } : {}) });
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const fix = 'Make it a file that you may read.';
    throw new HarnessError('config', `${file} cannot be read: ${getErrorMessage(error)}`, { file, fix });
  }
}

async function runConfigModule(path: string, file: string): Promise<unknown> {
  const { createJiti } = await import('jiti/static');
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  try {
    const value = await jiti.import(path, { default: true });
    return typeof value === 'function' ? await value() : value;
  } catch (error) {
    const fix =
      'Make the file export its settings as default, or a function that returns them, without failing.';
    throw new HarnessError('config', `${file} failed when run: ${getErrorMessage(error)}`, { file, fix });
  }
}

interface ParsedText {
  readonly value: unknown;
  /** Where a field stands in the text; null when it is not there. */
  locate(path: readonly string[]): Position | null;
}

/** Reads YAML or JSON text, keeping the place of every field; throws on syntax and doubled keys. */
function parseText(text: string, file: string): ParsedText {
  const source = text.replace(/^\uFEFF/, '');
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const problems = document.errors.map(error =>
    getSyntaxProblem(error.code, error.message, toPosition(lines, error.pos[0])),
  );
  if (file.endsWith('.json') && problems.length === 0) problems.push(...getJsonProblems(source));
  if (problems.length > 0) throw getConfigError(file, problems);
  return {
    value: toValue(document, file),
    locate: path => {
      const offset = findOffset(document, path);
      return offset === null ? null : toPosition(lines, offset);
    },
  };
}

function getSyntaxProblem(code: string, message: string, position: Position): Problem {
  const isDouble = code === 'DUPLICATE_KEY';
  return {
    field: '',
    message: isDouble ? 'the same key is set twice in one section' : `cannot be read: ${message}`,
    fix: isDouble
      ? 'Remove one of the two.'
      : 'Correct the syntax at that place; look at indentation and quotes.',
    position,
  };
}

/** JSON is read by the YAML parser, which forgives what JSON tools do not. */
function getJsonProblems(source: string): readonly Problem[] {
  try {
    JSON.parse(source);
    return [];
  } catch (error) {
    const fix = 'Write plain JSON: no comments, no trailing commas, double quotes.';
    return [{ field: '', message: `is not JSON: ${error instanceof Error ? error.message : error}`, fix }];
  }
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : error}`;
    throw getConfigError(file, [
      { field: '', message, fix: 'Write the values out instead of using anchors.' },
    ]);
  }
}

function findOffset(document: Document, path: readonly string[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find(item => isScalar(item.key) && String(item.key.value) === key);
      if (!pair) return null;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? null) : null;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? null;
    } else {
      return null;
    }
  }
  return offset;
}

function toPosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
