import * as z from 'zod';

/** Text that says something: surrounding blanks go, emptiness is refused. */
export const text = () => z.string().trim().min(1);

/** Text a project may do without; null says so. */
export const optionalText = () => text().nullable().default(null);

/** A shell command line, or null for "there is none". */
export const optionalCommand = () => optionalText();

/** A whole number of things, at least `min`. */
export const count = (min = 1) => z.int().min(min);

/** A duration in seconds that a timer can hold. */
export const seconds = () => z.number().positive().max(2_000_000);

/** A duration in minutes that a timer can hold. */
export const minutes = () => z.number().positive().max(30_000);

/** A share of a whole. */
export const share = () => z.number().min(0).max(1);

/** An amount of money that can be spent. */
export const usd = () => z.number().positive();

/** A path inside the project, spelled as git spells it. */
export const projectPath = () =>
  z
    .string()
    .trim()
    .regex(/^(?![/~\\]|[A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$)).+$/, {
      error: 'must be a path inside the project: relative, without ".."',
    })
    .overwrite(path => path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, ''))
    .refine(path => path !== '' && path !== '.' && path !== '.git' && !path.startsWith('.git/'), {
      error: 'must name something inside the project other than its root and .git',
    });

/** A path inside the project, or null for "there is none". */
export const optionalPath = () => projectPath().nullable().default(null);

/** A list of non-empty texts. */
export const texts = () => z.array(text());

/** `owner/name` of a GitHub repository, or null. */
export const optionalRepo = () =>
  z
    .string()
    .trim()
    .regex(/^[\w.-]+\/[\w.-]+$/, { error: 'must look like "owner/name"' })
    .nullable()
    .default(null);

/** Timers and the core count in milliseconds. */
export function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
