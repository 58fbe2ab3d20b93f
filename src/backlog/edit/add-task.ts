import { HarnessError } from '../../core/base/failure.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { FEATURES_JSON } from '../read/features-json.ts';
import { getUsedSpelling } from '../read/field-reader.ts';
import { parseRoot } from '../read/parse-tasks.ts';
import { getElements, getMember, getMembers, getRootStart, type Span } from './json-spans.ts';
import { findPhase, getNextInPhase, getUsedPhase } from './phases.ts';

/** What a person gives for a new task; the rest has defaults. */
export interface NewFeature {
  readonly description: string;
  readonly id?: string | number;
  readonly category?: string;
  readonly testFile?: string;
  readonly verificationSteps?: readonly string[];
  readonly size?: 'small' | 'medium' | 'large';
  readonly dependsOn?: readonly string[];
  readonly priority?: number | string;
  readonly validation?: { readonly command: string; readonly timeoutSeconds?: number };
  readonly verificationType?: 'automated' | 'hybrid' | 'manual';
  readonly mayChange?: readonly string[];
}

/** Appends a task the way the file itself is written; every byte that was there stays. */
export function addTask(
  text: string,
  feature: NewFeature,
  fileName = 'features.json',
  dialect: Dialect = FEATURES_JSON,
): { readonly text: string; readonly id: string } {
  const { noun } = dialect;
  const entries = parseRoot(text, fileName)[dialect.list];
  const root = getRootStart(text);
  const list = getMember(getMembers(text, root), dialect.list);
  if (!Array.isArray(entries) || list === null) {
    throw new HarnessError('backlog', `${fileName} has no list of ${noun}s`, {
      file: fileName,
      field: dialect.list,
      fix: `Write "${dialect.list}": [] into it first.`,
    });
  }
  const known = entries.map(other => (other as { id?: unknown } | null)?.id);
  const phase = dialect.phases ? findPhase(dialect.phases, feature.category, fileName) : null;
  const id = feature.id ?? (phase ? getNextInPhase(known, phase) : getNextId(known, dialect));
  if (known.some(other => String(other) === String(id))) {
    const fix = 'Leave the id out to get the next free one.';
    throw new HarnessError('backlog', `${noun} ${id} is in ${fileName} already`, { file: fileName, fix });
  }
  const category = phase ? getUsedPhase(entries, phase) : feature.category;
  const fields = getFields({ ...feature, ...(category ? { category } : {}) }, id, entries, dialect);
  return { text: insert(text, list.value, list.keySpan.start, fields), id: String(id) };
}

/** A backlog with nothing in it yet. */
export function createFeaturesJson(project: string, lastUpdated?: string): string {
  const instructions =
    'Set passes to true on your own feature once its tests pass. Change nothing else in this file: the harness compares it and decides by itself.';
  const file = {
    project,
    generated_by: 'harness',
    ...(lastUpdated === undefined ? {} : { last_updated: lastUpdated }),
    features: [],
    instructions,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** One more than the highest number, spelled as the others are: 8, "8" or "task-008". */
function getNextId(known: readonly unknown[], { firstId }: Dialect): string | number {
  if (known.length === 0) return firstId ?? 1;
  let best = { prefix: '', value: 0, width: 0, isText: false };
  for (const id of known) {
    const match = /^(.*?)(\d{1,15})$/.exec(String(id));
    const value = Number(match?.[2] ?? -1);
    if (match && value >= best.value) {
      best = { prefix: match[1] ?? '', value, width: match[2]?.length ?? 0, isText: typeof id === 'string' };
    }
  }
  const number = best.value + 1;
  return best.isText ? `${best.prefix}${String(number).padStart(best.width, '0')}` : number;
}

function getFields(feature: NewFeature, id: string | number, entries: readonly unknown[], dialect: Dialect) {
  const known = entries.map(other => (other as { id?: unknown } | null)?.id);
  const spelling = new Map(known.map(other => [String(other), other]));
  const { validation } = feature;
  const fields = {
    id,
    category: feature.category,
    description: feature.description,
    test_file: feature.testFile,
    validation: validation && { command: validation.command, timeout_seconds: validation.timeoutSeconds },
    verification_steps: feature.verificationSteps,
    verification_type: feature.verificationType,
    size_estimate: feature.size,
    priority: feature.priority,
    depends_on: feature.dependsOn?.map(other => spelling.get(other) ?? other),
    may_change: feature.mayChange,
    passes: dialect.flag.open,
  };
  const { defaults, besides } = dialect.newEntry?.(feature.description) ?? { defaults: {}, besides: {} };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  // Said twice, so that what is given comes first, and counts.
  const own = Object.entries({ ...given, ...defaults, ...given });
  const all = own.map(([key, value]) => [getUsedSpelling(dialect.names, key, entries), value]);
  return { ...Object.fromEntries(all), ...besides };
}

function insert(text: string, list: Span, keyStart: number, fields: object): string {
  const elements = getElements(text, list.start);
  const last = elements.at(-1);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = getIndentUnit(text);
  if (last) {
    const gapStart = elements.length > 1 ? text.indexOf(',', elements.at(-2)?.end) + 1 : list.start + 1;
    const gap = text.slice(gapStart, last.start);
    const isInline = !text.slice(last.start, last.end).includes('\n');
    const indent = isInline ? null : getIndentAt(text, last.start);
    const written = write(fields, {
      indent,
      unit,
      eol,
      isSpaced: /[:,] /.test(text.slice(last.start, last.end)),
    });
    return `${text.slice(0, last.end)},${gap}${written}${text.slice(last.end)}`;
  }
  if (!text.trimEnd().includes('\n'))
    return `${text.slice(0, list.start)}[${write(fields, { indent: null, unit, eol, isSpaced: /: /.test(text) })}]${text.slice(list.end)}`;
  const outer = getIndentAt(text, keyStart);
  const written = write(fields, { indent: outer + unit, unit, eol, isSpaced: true });
  return `${text.slice(0, list.start)}[${eol}${outer}${unit}${written}${eol}${outer}]${text.slice(list.end)}`;
}

interface Layout {
  /** Null for one line. */
  readonly indent: string | null;
  readonly unit: string;
  readonly eol: string;
  /** Whether blanks follow colons and commas on one line. */
  readonly isSpaced: boolean;
}

function write(fields: object, { indent, unit, eol, isSpaced }: Layout): string {
  if (indent !== null) return JSON.stringify(fields, null, unit).replaceAll('\n', eol + indent);
  if (!isSpaced) return JSON.stringify(fields);
  return JSON.stringify(fields, null, 1).replace(/([{[]?)\n *([}\]]?)/g, (_, open, close) =>
    open === '[' || close === ']' ? open + close : `${open} ${close}`,
  );
}

function getIndentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function getIndentUnit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}
