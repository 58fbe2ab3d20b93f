/** What the first line of a test holds that nobody has written yet. */
const STUB_MARK = 'harness:stub';

/** The first line of a stub. */
export function getStubLine(taskId: string): string {
  return `${STUB_MARK}: no test yet. Whoever takes task ${taskId} puts one in the place of this file.`;
}

/** Whether a test file is only a place for one: then nobody has approved it. */
export function isStub(text: string | null): boolean {
  return text?.split('\n', 1)[0]?.includes(STUB_MARK) ?? false;
}
