import { findPhaseOf, isDesign, PHASES } from '../../core/model/phase.ts';
import type { TaskDef, Validation } from '../../core/model/task.ts';
import type { BacklogLimits, BacklogTask } from '../../ports/index.ts';
import { FieldReader, getSpellings, getUnknownFieldWarning, type Names, type Sink } from './field-reader.ts';
import type { Problem } from './problem.ts';

const KNOWN_FIELDS = [
  'id',
  'category',
  'description',
  'test_file',
  'verification_steps',
  'size_estimate',
  'depends_on',
  'passes',
  'priority',
  'validation',
  'verification_type',
  'automated_checks',
  'manual_checks',
  'may_change',
  'output_files',
  'tags',
  'max_attempts',
  'on_failure',
  'attempts',
  'phase',
] as const;

/** The files that a task will write, in either spelling. */
export const OUTPUT_FILES = ['output_files', 'files'] as const;

/** The release criteria that a task is meant to meet, in either spelling. */
export const TAGS = ['tags', 'acceptance_tags'] as const;

export type EntryField = (typeof KNOWN_FIELDS)[number];

/** How a format spells an entry where it differs from `features.json`. */
export interface EntryFormat {
  readonly noun: string;
  /** The format's own name of a field, where it has another. */
  readonly names: Dialect['names'];
  /** Fields that the format has besides. */
  readonly ownFields: readonly string[];
  readonly isDone: (fields: FieldReader) => boolean;
  /** Whether an entry that nothing can prove is refused, or kept for a person to judge. */
  readonly needsTest: boolean;
  /** Its `phase` is a word of the project's own, and nothing is decided by it. */
  readonly hasFreePhase?: true;
}

const DEFAULT_PRIORITY = 2;
const DEFAULT_VALIDATION_SECONDS = 300;

/** A reader of one entry as a task; null when it has no usable id. Everything wrong goes into the sink. */
export function getEntryReader(format: EntryFormat): Dialect['read'] {
  const spellings = KNOWN_FIELDS.map(name => getSpellings(format.names, name));
  const known = [...spellings.flat(), ...format.ownFields];
  const isKnown = new Set<string>(known);
  const doubles = spellings.filter(({ length }) => length > 1);
  return (raw, at, sink) => {
    if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
      const fix = 'Write { "id": …, "description": … }.';
      sink.problems.push({ field: at, message: 'must be an object', fix });
      return null;
    }
    const fields = new FieldReader(raw as Record<string, unknown>, at, sink, format.names);
    for (const key of Object.keys(raw)) {
      if (!isKnown.has(key))
        sink.warnings.push(getUnknownFieldWarning(sink.options.fileName, at, key, known));
    }
    const phase = fields.get('phase');
    const isOurs = getSpellings(format.names, 'category')[0] !== 'phase';
    if (isOurs && phase !== undefined && findPhaseOf(phase) === undefined)
      sink.warnings.push(
        `${sink.options.fileName}: ${at}.phase is ${JSON.stringify(phase)}, none of ${PHASES.join(', ')}: it decides nothing`,
      );
    for (const [name = '', ...others] of doubles) {
      const twice = others.find(other => Object.hasOwn(raw, name) && Object.hasOwn(raw, other));
      if (twice === undefined) continue;
      const fix = `Keep ${name}, with everything that ${twice} lists.`;
      sink.problems.push({ field: `${at}.${twice}`, message: `says the same as ${name}`, fix });
    }
    const task = readEntry(fields, format);
    if (task !== null) warnIfLarge(task.def, format, sink);
    return task;
  };
}

function readEntry(fields: FieldReader, format: EntryFormat): BacklogTask | null {
  const id = readId(fields, format.noun);
  const validation = readValidation(fields);
  const verificationType =
    fields.getChoice('verification_type', ['automated', 'hybrid', 'manual']) ?? 'automated';
  const isManual = verificationType === 'manual';
  const phase = format.hasFreePhase ? undefined : findPhaseOf(fields.get('phase'));
  const outputs = fields.getTexts('output_files');
  const isWritten = isDesign(phase) && outputs.length > 0;
  const def: Omit<TaskDef, 'id'> = {
    title: readTitle(fields),
    category: fields.getText('category'),
    priority: readPriority(fields),
    dependsOn: readDependencies(fields),
    testFile: readTestFile(fields, validation !== null || isManual || isWritten || !format.needsTest),
    validation,
    // What a hybrid task leaves to machines is what done means, like any other step.
    verificationSteps: [...fields.getTexts('verification_steps'), ...fields.getTexts('automated_checks')],
    verificationType,
    manualChecks: fields.getTexts('manual_checks'),
    visual: readVisual(fields),
    mayChange: fields.getTexts('may_change'),
    size: readSize(fields),
    maxAttempts: fields.getCount('max_attempts', 1) ?? fields.options.maxAttempts,
  };
  const cleanup = readCleanup(fields);
  const tags = [...new Set(fields.getTexts('tags').map(tag => tag.trim()))].filter(tag => tag !== '');
  const rare = {
    ...(cleanup ? { cleanup } : {}),
    ...(outputs.length > 0 ? { outputs } : {}),
    ...(phase === undefined ? {} : { phase }),
    ...(tags.length > 0 ? { tags } : {}),
  };
  const passes = format.isDone(fields);
  const attempts = fields.getCount('attempts', 0) ?? 0;
  const past = attempts > 0 && !passes ? { attempts } : {};
  return id === null ? null : { def: { id, ...def, ...rare }, passes, ...past };
}

function warnIfLarge(
  { id, verificationSteps: { length } }: TaskDef,
  { noun }: EntryFormat,
  sink: Sink,
): void {
  const { fileName, maxVerificationSteps } = sink.options;
  if (length <= maxVerificationSteps) return;
  sink.warnings.push(
    `${fileName}: ${noun} ${id} has ${length} verification steps, more than ${maxVerificationSteps}: split it by capability`,
  );
}

function readId(fields: FieldReader, noun: string): string | null {
  const id = fields.get('id');
  if (id === undefined)
    return fields.refuse('id', 'is missing', `Give the ${noun} a number or a name of its own.`);
  const isGood =
    typeof id === 'number'
      ? Number.isSafeInteger(id)
      : typeof id === 'string' && /^\S(.*\S)?$/.test(id) && !/\p{Cc}/u.test(id);
  if (isGood) return String(id);
  return fields.refuse(
    'id',
    'must be a whole number or a name on one line',
    'Write an id such as 7 or "login".',
  );
}

function readTitle(fields: FieldReader): string {
  const description = fields.getText('description');
  if (description?.trim()) return description.trim();
  if (fields.get('description') === undefined || description !== null) {
    fields.refuse(
      'description',
      'is missing or empty',
      'Say in one sentence what can be done once it works.',
    );
  }
  return '';
}

function readPriority(fields: FieldReader): number {
  const raw = fields.get('priority');
  if (raw === undefined) return DEFAULT_PRIORITY;
  if (typeof raw === 'string' && /^p\d$/i.test(raw)) return Number(raw.slice(1));
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= 999_999) return raw;
  fields.refuse(
    'priority',
    `cannot be ${JSON.stringify(raw)}`,
    'Write "P0" (first) to "P9", or a whole number from 0.',
  );
  return DEFAULT_PRIORITY;
}

function readDependencies(fields: FieldReader): readonly string[] {
  const raw = fields.get('depends_on') ?? [];
  const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  if (Array.isArray(raw) && raw.every(isId)) return [...new Set(raw.map(String))];
  fields.refuse('depends_on', 'must be a list of ids', 'Write "depends_on": [1, 2], or leave it out.');
  return [];
}

function readTestFile(fields: FieldReader, canDoWithout: boolean): string | null {
  const path = fields.getText('test_file');
  if (path === null || path.trim() === '') {
    const isMissing = fields.get('test_file') === undefined || path !== null;
    if (isMissing && !canDoWithout && fields.options.requireTestFile) {
      fields.refuse(
        'test_file',
        'is missing',
        'Name the file whose tests prove the feature, or give it a validation.command.',
      );
    }
    return null;
  }
  const parts = path.trim().replaceAll('\\', '/').split('/');
  if (/^(\/|\\|~|[A-Za-z]:)/.test(path.trim()) || parts.includes('..') || /\p{Cc}/u.test(path)) {
    fields.refuse(
      'test_file',
      'must be a path inside the repository',
      'Write it from the root of the repository, without "..".',
    );
    return null;
  }
  return parts.filter(part => part !== '' && part !== '.').join('/');
}

function readValidation(fields: FieldReader): Validation | null {
  const raw = fields.get('validation');
  if (raw === undefined) return null;
  const given = typeof raw === 'string' ? { command: raw } : raw;
  const { command, timeout_seconds = DEFAULT_VALIDATION_SECONDS } = Object(given) as Record<string, unknown>;
  const fix = 'Write "validation": { "command": "…", "timeout_seconds": 300 }.';
  if (isLeftOpen(given)) return null;
  if (typeof command !== 'string' || command.trim() === '') {
    return fields.refuse('validation', 'must hold a command', fix);
  }
  if (typeof timeout_seconds === 'number' && timeout_seconds > 0 && Number.isFinite(timeout_seconds)) {
    return { command, timeoutSeconds: timeout_seconds };
  }
  return fields.refuse('validation.timeout_seconds', 'must be a number of seconds above 0', fix);
}

/** What a task list begins a task with, for somebody to fill in: it decides nothing yet. */
function isLeftOpen(given: unknown): boolean {
  const { command } = Object(given) as Record<string, unknown>;
  return command === null || (typeof command === 'string' && command.trim() === '');
}

function readCleanup(fields: FieldReader): string | null {
  const raw = fields.get('on_failure');
  if (raw === undefined) return null;
  const { cleanup = null } = Object(raw) as Record<string, unknown>;
  if (cleanup === null || (typeof cleanup === 'string' && cleanup.trim() !== '')) return cleanup;
  const fix = 'Write "on_failure": { "cleanup": "docker compose down" }, or null.';
  return fields.refuse('on_failure.cleanup', 'must be a command or null', fix);
}

/** `{ "enabled": true, "steps": [ … ] }`; leaving `enabled` out means it. */
function readVisual(fields: FieldReader): readonly string[] | null {
  const raw = fields.get('visual_verification');
  if (raw === undefined) return null;
  const fix = 'Write "visual_verification": { "enabled": true, "steps": [ "Navigate to /" ] }.';
  if (typeof raw === 'boolean') return raw ? [] : null;
  const { enabled = true, steps = [] } = Object(raw) as Record<string, unknown>;
  const isGood = typeof raw === 'object' && typeof enabled === 'boolean' && Array.isArray(steps);
  if (!isGood || !steps.every(step => typeof step === 'string'))
    return fields.refuse('visual_verification', 'must say whether it is enabled and list its steps', fix);
  return enabled ? steps : null;
}

function readSize(fields: FieldReader): TaskDef['size'] {
  if (fields.get('size_estimate') !== 'xlarge')
    return fields.getChoice('size_estimate', ['small', 'medium', 'large']);
  return fields.refuse(
    'size_estimate',
    'is "xlarge"',
    'Split the feature: each one must fit into a single session.',
  );
}

/** What sets one JSON task list apart from another; everything else about them is the same. */
export interface Dialect {
  /** The key of the list. */
  readonly list: string;
  /** What an entry is called in messages. */
  readonly noun: string;
  /** The format's own names of the fields that `features.json` calls otherwise. */
  readonly names: Partial<Pick<Names, EntryField>>;
  readonly rootFields: readonly string[];
  /** Whether the file keeps what happened to its tasks, in fields of its own. */
  readonly keepsRecord?: true;
  /** What it says about runs where it is silent. */
  readonly limits?: BacklogLimits;
  /** The layouts that are read, where the format numbers them. */
  readonly versions?: readonly number[];
  /** The id of the first entry, where it is no plain number. */
  readonly firstId?: string;
  /** Fields of the file that an agent may change: nothing is decided by them. */
  readonly freeRootFields: readonly string[];
  /** The same for the fields of an entry. */
  readonly freeFields: readonly string[];
  /** What a new entry has where nothing else is known: fields of ours, and the format's own besides. */
  readonly newEntry?: (title: string) => {
    readonly defaults: Readonly<Partial<Record<EntryField, unknown>>>;
    readonly besides: Readonly<Record<string, unknown>>;
  };
  /** The phases that tasks of this format go through, and how the ids of each begin. */
  readonly phases?: Readonly<Record<string, string>>;
  /** What the format asks for besides what reading it needs. */
  readonly check?: (entries: readonly unknown[]) => readonly Problem[];
  readonly flag: {
    readonly key: string;
    readonly done: unknown;
    readonly open: unknown;
    /** Null for a value that the format does not know. */
    readonly isDone: (value: unknown) => boolean | null;
  };
  readonly read: (raw: unknown, at: string, sink: Sink) => BacklogTask | null;
}
