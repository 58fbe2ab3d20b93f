import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BacklogTask } from '../../ports/index.ts';
import { getBacklogCodec } from '../codec.ts';
import { writeBundle } from '../folder-workspace.ts';
import { FORMATS, type Format, writeBacklog } from './convert.ts';

const text = fc.stringMatching(/^[A-Za-zäß'":#{}[\]-]([\w äß'":#{}[\],-]{0,20}[\wäß])?$/);

const tasks: fc.Arbitrary<readonly BacklogTask[]> = fc
  .array(
    fc.record({
      title: text,
      steps: fc.array(text, { maxLength: 3 }),
      priority: fc.nat(12),
      passes: fc.boolean(),
      testFile: fc.constantFrom(null, 'test/a.test.js'),
      command: fc.constantFrom(null, 'node "x y.js" # z'),
      category: fc.option(text, { nil: null }),
      needs: fc.nat(5),
      tags: fc.uniqueArray(fc.constantFrom('auth/login', 'shop/cart', 'a-b/c_d.e'), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map(list =>
    list.map((one, i) => ({
      passes: one.passes,
      def: {
        id: `task-${i + 1}`,
        title: one.title,
        category: one.category,
        priority: one.priority,
        dependsOn: one.needs < i ? [`task-${one.needs + 1}`] : [],
        testFile: one.testFile,
        validation: one.command === null ? null : { command: one.command, timeoutSeconds: 60 },
        verificationSteps: one.steps,
        verificationType: 'automated',
        manualChecks: [],
        visual: null,
        mayChange: [],
        size: null,
        maxAttempts: 3,
        ...(one.tags.length > 0 ? { tags: one.tags } : {}),
      },
    })),
  );

function readBack(format: Format, files: ReadonlyMap<string, string>): readonly BacklogTask[] {
  const [name = ''] = files.keys();
  const path = format === 'plans' ? 'plans' : name;
  const content = format === 'plans' ? writeBundle(Object.fromEntries(files)) : (files.get(name) ?? '');
  const { tasks: found, warnings } = getBacklogCodec(path, { requireTestFile: false }).parse(content);
  expect(warnings).toEqual([]);
  return found;
}

describe.each(FORMATS)('a backlog written as %s', format => {
  it('says the same tasks when it is read again', () => {
    fc.assert(
      fc.property(tasks, list => {
        const found = readBack(format, writeBacklog(format, 'shop', list));
        const byId = new Map(found.map(task => [task.def.id, task]));
        expect(list.map(task => byId.get(task.def.id))).toEqual(list);
      }),
      { numRuns: 200 },
    );
  });
});
