import { readFileSync } from 'node:fs';
import { HarnessError } from '../../core/base/failure.ts';

const MAX_SPEC_CHARS = 400_000;

/** The document, or what is wrong with it. */
export function readSpec(file: string): string {
  const refuse = (why: string, fix: string): HarnessError =>
    new HarnessError('usage', `--spec: ${why}`, { file, field: '--spec', fix });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(
      `${file} cannot be read: ${(error as Error).message}`,
      'name a text file that says what is to be built',
    );
  }
  if (text.trim() === '') throw refuse(`${file} is empty`, 'write down what is to be built');
  if (text.length > MAX_SPEC_CHARS)
    throw refuse(
      `${file} has ${text.length} letters, more than ${MAX_SPEC_CHARS}`,
      'plan one part at a time',
    );
  return text;
}
