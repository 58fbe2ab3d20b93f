import { getImport, type Name, type Scaffold } from './scaffold.ts';

/** A step of an attempt: one step of the pipeline. */
export function getStep({ kebab, camel, words }: Name): Scaffold {
  const table = 'src/loop/perform.ts';
  return {
    files: {
      [`src/steps/${kebab}.ts`]: `import type { StepContext, StepResult, UnderWay } from './step.ts';

/** Say here what it leaves in the world, and how that is recognised when it is performed twice. */
export async function ${camel}(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  ctx.ports.reporter.phase(task.def.id, \`attempt \${attempt.number}: ${words}\`);
  return { events: [] };
}
`,
      [`src/steps/${kebab}.test.ts`]: `import { expect, it } from 'vitest';
import { createStepBench } from '../../test/support/step-bench.ts';

it('leaves nothing more when it is performed twice', async () => {
  const bench = await createStepBench();
  await bench.walkTo('ready');
  const first = await bench.perform({ type: '${kebab}', task: '1' });
  expect(await bench.perform({ type: '${kebab}', task: '1' })).toEqual(first);
});
`,
    },
    lines: [
      {
        path: 'src/core/model/action.ts',
        after: /^export type Work =\n/m,
        text: `  | { readonly type: '${kebab}'; readonly task: string }\n`,
      },
      getImport(table, camel, `../steps/${kebab}.ts`),
      { path: table, after: /^export const STEPS = \{\n/m, text: `  '${kebab}': onAttempt(${camel}),\n` },
    ],
    next: [
      'say in src/core/decide when it is due, with a test there',
      'give what it finds out an event: npm run new -- event …',
    ],
  };
}
