import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { getConfigError, type Position, type Problem } from './problem.ts';

export interface ParsedText {
  readonly value: unknown;
  /** Where a field stands in the text; null when it is not there. */
  locate(path: readonly string[]): Position | null;
}

/** Reads YAML or JSON text, keeping the place of every field; throws on syntax and doubled keys. */
export function parseText(text: string, file: string): ParsedText {
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
