import { getImport, type Name, type Scaffold } from './scaffold.ts';

/** A check of the verdict: one question asked of a candidate. */
export function getCheck({ kebab, camel, words }: Name): Scaffold {
  const table = 'src/checks/run/run-checks.ts';
  return {
    files: {
      [`src/checks/${kebab}.ts`]: `import { defineCheck } from './shared/context.ts';

/** Say here what is rejected, and why no other check would. All that it may ask stands in CheckContext. */
export const ${camel} = defineCheck('${kebab}', async ({ ports, changes, candidate }) => {
  const findings: string[] = [];
  for (const { kind, path } of changes) {
    if (kind === 'deleted') continue;
    const text = await ports.workspace.readFile(candidate.commit, path);
    if (text?.includes('${kebab}'))
      findings.push(\`\${path}: say what is wrong with it, and how to put it right\`);
  }
  if (findings.length === 0) return { status: 'passed', summary: 'nothing is wrong' };
  return { status: 'failed', summary: \`\${findings.length} files are wrong\`, findings };
});
`,
      [`src/checks/${kebab}.test.ts`]: `import { describe, expect, it } from 'vitest';
import { createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { ${camel} } from './${kebab}.ts';

async function check(added: Readonly<Record<string, string>>) {
  const { ctx } = await createCheckContext({ candidate: { ...HEALTHY, ...added } });
  return ${camel}(ctx);
}

describe('${words}', () => {
  it('rejects a file that says so, and names it', async () => {
    const { status, findings } = await check({ 'a.txt': '${kebab}' });
    expect([status, findings]).toEqual(['failed', [expect.stringContaining('a.txt')]]);
  });

  it('lets honest work pass', async () => {
    expect((await check({})).status).toBe('passed');
  });
});
`,
    },
    lines: [
      { path: 'src/core/model/check.ts', after: /^ {2}'size',\n/m, text: `  '${kebab}',\n` },
      getImport(table, camel, `../${kebab}.ts`),
      { path: table, after: /^ {2}size: \[size\],\n/m, text: `  '${kebab}': [${camel}],\n` },
      {
        path: 'ARCHITECTURE.md',
        after: /^\| size \|.*\n/m,
        text: `| ${kebab} | say what passes it, as the rows around do |\n`,
      },
    ],
    next: [
      'it runs behind `size`: CHECK_NAMES in src/core/model/check.ts has the order, run-checks.ts and ARCHITECTURE.md follow it',
      'say in ARCHITECTURE.md what passes it, and in docs/verification.md what it refuses and what it cannot see',
      `add a cheat that only it catches to the theme in test/liars/cases: witnessOf: '${kebab}'`,
      'npm run docs',
    ],
  };
}
