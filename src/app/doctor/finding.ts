import { getErrorMessage, HarnessError } from '../../core/base/failure.ts';

/** What one examination found. */
export interface Checkup {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string;
}

export type Finding = Omit<Checkup, 'name'>;

/** Runs one examination; whatever it throws is its finding. */
export async function getFinding(name: string, examine: () => Promise<Finding>): Promise<Checkup> {
  try {
    return { name, ...(await examine()) };
  } catch (error) {
    const detail = getErrorMessage(error);
    const fix = error instanceof HarnessError ? error.details.fix : undefined;
    return { name, status: 'fail', detail, ...(fix ? { fix } : {}) };
  }
}
