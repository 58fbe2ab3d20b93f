import { getImport, type Name, type Scaffold } from './scaffold.ts';

/** A check of the verdict: one question asked of a candidate. */
export function getCheck({ kebab, camel, words }: Name): Scaffold {
  const table = 'src/checks/run/run-checks.ts';
  return {
    files: {
      [`src/checks/${kebab}.ts`]: `import { defineCheck } from './shared/context.ts';

/** Say here what is rejected, and why no other check would. */
export const ${camel} = defineCheck('${kebab}', async ({ changes }) => {
  const findings = changes
    .filter(({ kind, path }) => kind !== 'deleted' && path.endsWith('.${kebab}'))
    .map(({ path }) => \`\${path}: say what is wrong with it, and how to put it right\`);
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
  it('rejects a file of that kind, and names it', async () => {
    const { status, findings } = await check({ 'a.${kebab}': 'x' });
    expect([status, findings]).toEqual(['failed', [expect.stringContaining('a.${kebab}')]]);
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
      'src/core/model/check.ts and run-checks.ts have it behind `size`: move both where it tells most for least',
      'write docs/verification.md: what it asks, and its row among the patterns if it has any',
      'add a cheat that only it catches to test/liars',
      'npm run docs',
    ],
  };
}
