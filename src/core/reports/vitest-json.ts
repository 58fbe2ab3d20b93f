import { getFields, getList, getNumber, getText, parseJson } from '../base/json.ts';
import type { TestOutcome } from '../model/testing.ts';
import { type ReportParser, Results } from './report.ts';

const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  disabled: 'skipped',
  todo: 'todo',
};

/** The JSON report of vitest, and of jest, from which it was taken. */
export const parseVitestJson: ReportParser = (text, trees) => {
  const files = getFields(parseJson(text)).testResults;
  if (!Array.isArray(files)) return { results: [], problem: 'the report is not the JSON of vitest or jest' };
  const results = new Results(trees);
  for (const raw of files) {
    const file = getFields(raw);
    const name = results.getFile(getText(file.name));
    let hasFailed = false;
    for (const test of getList(file.assertionResults).map(getFields)) {
      const outcome = OUTCOMES[getText(test.status)] ?? 'error';
      hasFailed ||= outcome === 'failed' || outcome === 'error';
      results.add([name, ...getList(test.ancestorTitles).map(getText), getText(test.title)], outcome, {
        message: getList(test.failureMessages).map(getText).join('\n'),
        durationMs: getNumber(test.duration),
      });
    }
    if (getText(file.status) === 'failed' && !hasFailed) {
      results.add([name], 'error', {
        message: getText(file.message) || 'the file failed outside of its tests',
      });
    }
  }
  return { results: results.all };
};
