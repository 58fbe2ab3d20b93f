import { getImport, type Name, type Scaffold } from './scaffold.ts';

/** A test runner: one descriptor. */
export function getRunner({ kebab, camel }: Name): Scaffold {
  const table = 'src/core/testing/runners.ts';
  return {
    files: {
      [`src/core/runners/${kebab}.ts`]: `import { parseJunit } from '../reports/junit.ts';
import { appendFlags, findName, getForFile, getPathTarget } from './command-edits.ts';
import type { Runner } from './runner.ts';

/** Everything that it may say stands in runner.ts. */
export const ${camel}: Runner = {
  reportName: '${kebab} JUnit report',
  findCall: findName('${kebab}'),
  isRecognised: true,
  getTarget: getPathTarget,
  plan: appendFlags(file => \`--reporter=junit --output-file=\${file}\`),
  parse: parseJunit,
  packages: ['${kebab}'],
  // For \`init\`: its call in a script of a package.json. Programs of other languages: src/config/detect/others.ts.
  tools: [{ name: '${kebab}', programs: ['${kebab}'], isDirect: true, feature: getForFile }],
};
`,
      [`src/core/runners/${kebab}.test.ts`]: `import { describe, expect, it } from 'vitest';
import { getFeatureCommand } from '../testing/test-command.ts';
import { getReportCommand, getRunnerOf, parseReport } from '../testing/runners.ts';

const FULL = 'npx ${kebab}';

describe('${kebab}', () => {
  it('is recognised by its name', () => {
    expect(getRunnerOf(FULL, null)).toBe('${kebab}');
  });

  it('runs one file', () => {
    const testing = { runner: '${kebab}', full: FULL, feature: null, reportPath: null } as const;
    expect(getFeatureCommand(testing, 'test/a b.js')).toBe(\`\${FULL} 'test/a b.js'\`);
  });

  it('is asked for a report', () => {
    expect(getReportCommand('${kebab}', FULL, '/r').command).toBe(\`\${FULL} --reporter=junit --output-file=/r\`);
  });

  it('says of each test what it did', () => {
    const text = '<testsuite name="sums"><testcase name="adds" file="/tree/a.js"/></testsuite>';
    expect(parseReport('${kebab}', text, ['/tree']).results).toMatchObject([
      { id: 'a.js > sums > adds', outcome: 'passed' },
    ]);
  });
});
`,
    },
    lines: [
      {
        path: 'src/core/model/testing.ts',
        after: /^ {2}'cargo',\n/m,
        text: `  '${kebab}',\n`,
      },
      getImport(table, camel, `../runners/${kebab}.ts`),
      {
        path: table,
        after: /^ {2}cargo,\n/m,
        text: kebab === camel ? `  ${camel},\n` : `  '${kebab}': ${camel},\n`,
      },
    ],
    next: [
      `set the flags in src/core/runners/${kebab}.ts to those it has, and keep a real report in test/fixtures/reports`,
      'one with a report format of its own reads it in its file (go.ts, mocha.ts), with Results of src/core/reports/report.ts',
      'fill in what runner.ts asks besides: failures, variables, packages, valueFlags',
      'add how init finds it to src/config/detect/detect.test.ts, and a project that uses it to test/init-trial',
      'npm run docs',
    ],
  };
}
