import * as z from 'zod';
import type { SessionRequest } from '../../../ports/index.ts';

/** An answer in the form that was asked for, or the reason why it is not one. */
export type Structured =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

/** Reads JSON, bare or as one fenced block, and holds it to a JSON Schema. */
export function parseStructured(text: string, schema: Readonly<Record<string, unknown>>): Structured {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return { ok: false, why: 'The answer is not JSON.' };
  }
  const checked = z.fromJSONSchema(schema).safeParse(value);
  if (checked.success) return { ok: true, value };
  const [issue] = checked.error.issues;
  const place = issue?.path.join('.') || 'the answer';
  return { ok: false, why: `The answer has not the form asked for: ${place}: ${issue?.message}` };
}

/** For agents that know no schema: it is asked for in words, and the answer is checked. */
export function getPromptWithForm({ prompt, mode, schema }: SessionRequest, before = ''): string {
  if (mode !== 'complete' || !schema) return prompt;
  return `${prompt}\n\n${before}Answer with one JSON value that matches this JSON Schema, and with nothing else, not even words around it:\n${JSON.stringify(schema)}`;
}
