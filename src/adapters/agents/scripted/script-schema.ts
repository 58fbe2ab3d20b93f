import { parseDocument } from 'yaml';
import * as z from 'zod';
import { HarnessError } from '../../../core/base/failure.ts';
import { isObject } from '../../../core/base/json.ts';

const words = z.string();
const path = z.string().min(1);
const amount = z.number().nonnegative().default(0);

/** Every move a script can hold, with what it takes; docs/agents.md shows one example each. */
const MOVES = {
  say: words,
  decide: words,
  checkpoint: z.strictObject({ step: z.int().min(0), total: z.int().min(0), description: words }),
  edit: z
    .strictObject({
      file: path,
      content: words.optional(),
      append: words.optional(),
      find: z.string().min(1).optional(),
      replace: words.optional(),
    })
    .refine(isOneEdit, 'give either `content`, or `append`, or `find` with `replace`'),
  delete: path,
  run: z.string().min(1),
  burn: z.strictObject({ input: amount, output: amount, cached: amount, cost_usd: amount }),
  sleep: z.number().nonnegative(),
  hang: z.literal(true),
  crash: words,
  refuse: z.strictObject({
    kind: z.enum(['rate_limit', 'overloaded', 'network', 'timeout', 'malformed', 'auth']),
    retry_seconds: amount,
  }),
  claim: words,
  lie: words,
  give_up: words,
  ask: z.strictObject({
    question: z.string().min(1),
    why: words.default(''),
    steps: z.array(words).default([]),
    check: words.default(''),
  }),
  answer: z.record(z.string(), z.unknown()),
} satisfies Record<string, z.ZodType>;

type MoveName = keyof typeof MOVES;

/** One thing the scripted agent does. */
export type Move = {
  [Name in MoveName]: { readonly name: Name; readonly what: z.output<(typeof MOVES)[Name]> };
}[MoveName];

/** What to play: for each task (or `*`) the moves of its first, second, … attempt. */
export type AgentScript = ReadonlyMap<string, readonly (readonly Move[])[]>;

/** What the planner plays is kept under a name that no task has: its rounds are its attempts. */
const PLANNER = '\0planner';

/** Reads a script in YAML or JSON; the error names the file, the field and what is allowed there. */
export function parseScript(text: string, file: string): AgentScript {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw getScriptError(file, '', problem.message.trim());
  const root = getFields(document.toJS(), file, '');
  for (const key of root.keys()) {
    if (key !== 'tasks' && key !== 'planner')
      throw getScriptError(file, key, 'unknown key; there are `tasks` and `planner`');
  }
  const tasks = root.has('tasks') || !root.has('planner') ? getFields(root.get('tasks'), file, 'tasks') : [];
  const entries = [...tasks].map(([id, entry]) => [id, parseAttempts(entry, file, `tasks.${id}`)] as const);
  const planner = root.get('planner');
  if (planner === undefined) return new Map(entries);
  return new Map([...entries, [PLANNER, parseAttempts(planner, file, 'planner')]]);
}

/** The moves of one attempt, or of one round within it: the last list repeats, `*` stands in for tasks that are not named. */
export function getMoves(script: AgentScript, taskId: string, attempt: number): readonly Move[] | null {
  const attempts = script.get(taskId) ?? script.get('*');
  if (!attempts) return null;
  return attempts[Math.max(0, Math.min(attempt, attempts.length) - 1)] ?? null;
}

/** The moves of the planner's first, second, … answer. */
export function getPlannerMoves(script: AgentScript, round: number): readonly Move[] | null {
  return script.has(PLANNER) ? getMoves(script, PLANNER, round) : null;
}

/** Either `attempts: [[…], […]]`, or one list of moves for every attempt. */
function parseAttempts(entry: unknown, file: string, field: string): readonly (readonly Move[])[] {
  if (Array.isArray(entry)) return [parseMoves(entry, file, field)];
  const fields = getFields(entry, file, field);
  for (const key of fields.keys()) {
    if (key !== 'attempts')
      throw getScriptError(file, `${field}.${key}`, 'unknown key; the only one is `attempts`');
  }
  const attempts = fields.get('attempts');
  if (!Array.isArray(attempts) || attempts.length === 0) {
    throw getScriptError(file, `${field}.attempts`, 'expected a list with the moves of each attempt');
  }
  return attempts.map((moves, index) => parseMoves(moves, file, `${field}.attempts[${index}]`));
}

function parseMoves(moves: unknown, file: string, field: string): readonly Move[] {
  if (!Array.isArray(moves)) throw getScriptError(file, field, 'expected a list of moves');
  return moves.map((move, index) => parseMove(move, file, `${field}[${index}]`));
}

function parseMove(move: unknown, file: string, field: string): Move {
  const [entry, ...more] = getFields(move, file, field);
  if (!entry || more.length > 0) throw getScriptError(file, field, 'expected one move, such as `say: text`');
  const [name, what] = entry;
  if (!isMoveName(name)) {
    throw getScriptError(
      file,
      `${field}.${name}`,
      `unknown move; known are ${Object.keys(MOVES).join(', ')}`,
    );
  }
  const parsed = MOVES[name].safeParse(what);
  if (parsed.success) return { name, what: parsed.data } as Move;
  const [issue] = parsed.error.issues;
  const where = [field, name, ...(issue?.path ?? []).map(String)].join('.');
  throw getScriptError(file, where, issue?.message ?? 'not valid');
}

function isMoveName(name: string): name is MoveName {
  return Object.hasOwn(MOVES, name);
}

function isOneEdit(edit: {
  content?: unknown;
  append?: unknown;
  find?: unknown;
  replace?: unknown;
}): boolean {
  const hasFind = edit.find !== undefined;
  if (hasFind !== (edit.replace !== undefined)) return false;
  return [edit.content !== undefined, edit.append !== undefined, hasFind].filter(Boolean).length === 1;
}

function getFields(value: unknown, file: string, field: string): Map<string, unknown> {
  if (isObject(value)) return new Map(Object.entries(value));
  throw getScriptError(file, field, 'expected a mapping');
}

function getScriptError(file: string, field: string, message: string): HarnessError {
  const where = field === '' ? file : `${file}: ${field}`;
  return new HarnessError('config', `${where}: ${message}`, {
    file,
    ...(field === '' ? {} : { field }),
    fix: `Correct ${field === '' ? 'the file' : field} in ${file}; docs/agents.md lists the moves.`,
  });
}
