/**
 * The values that an assertion compared, as the runner itself worded it; null where the test used words of its own,
 * which say what their author wants.
 */
export function getComparison(message: string): string | null {
  const lines = message.split('\n').filter(line => !/^\s*at\s|^\s*File "|:\d+:\d+\)?$/.test(line));
  const start = lines.findIndex(line => WORDINGS.some(wording => wording.test(line)));
  if (start === -1) return null;
  return lines
    .slice(start)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n');
}

const WORDINGS: readonly RegExp[] = [
  // node:assert
  /Expected (values|"actual"|inputs) (to|not to) /,
  /The expression evaluated to a falsy value/,
  /Missing expected (exception|rejection)/,
  // vitest, chai
  /AssertionError: expected .+ to /,
  /^\s*expect\(.*\)\.\w+/,
  // jest
  /^\s*(Expected|Received)\b.*:/,
  // pytest, unittest
  /^E?\s*(AssertionError: )?assert /,
  /AssertionError: .+ (!=|==|not found in|is not) /,
  // go, rust
  /^\s*(left|right): /,
];
