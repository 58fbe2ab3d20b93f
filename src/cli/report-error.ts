import { EXIT_CODES, HarnessError } from '../core/failure.ts';
import { explainErrno } from './explain-errno.ts';
import type { Io } from './io.ts';

/** The one place where an error becomes words and an exit code. */
export function reportError(io: Io, thrown: unknown, json: boolean): void {
  const error = explainErrno(thrown);
  const known = error instanceof HarnessError;
  const code = known ? error.code : isAbort(error) ? 'cancelled' : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  io.exit(isAbort(error) ? 130 : EXIT_CODES[code]);
  if (json) {
    io.out(JSON.stringify({ error: { code, message, details: known ? error.details : {} } }));
    return;
  }
  io.err(`error: ${message}`);
  if (!known) {
    if (code === 'internal' && error instanceof Error && io.env.HARNESS_DEBUG) io.err(error.stack ?? '');
    return;
  }
  const { file, field, fix } = error.details;
  if (file && !message.includes(file)) io.err(`  in:  ${file}`);
  if (field && !message.includes(field)) io.err(`  at:  ${field}`);
  if (fix) io.err(`  fix: ${fix}`);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
