/** What runners say that found nothing to run, also those that end well. */
const NO_TESTS =
  /^(?:Ran 0 tests\b.*|no tests ran.*|No tests? (?:files? )?(?:found|were found).*|0 examples,.*|There are no tests to run.*|\s*Total: {4,}0|# tests 0)$/im;

/** The line by which an output says that no test was run; null where it does not. */
export function findNoTests(output: string): string | null {
  return NO_TESTS.exec(output)?.[0].trim() ?? null;
}
