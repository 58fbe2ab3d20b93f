import { describe, expect, it } from 'vitest';
import type { PlannedTask } from '../../core/decide/plan.ts';
import { FEATURES_JSON } from '../read/features-json.ts';
import { applyPlan, replaceTask } from './apply-plan.ts';

const BEFORE = `{
  "features": [
    { "id": 1, "description": "One", "test_file": "1.js" },
    {  "id": 2, "description": "Two", "test_file": "2.js", "depends_on": [ 1 ]  },
    { "id": 3, "description": "Three", "test_file": "3.js", "depends_on": [2, 1], "passes": false }
  ]
}
`;
const options = { fileName: 'features.json', dialect: FEATURES_JSON };
const task = (id: string, test_file: string, depends_on: string[] = []): PlannedTask => ({
  ...{ id, title: `T${id}`, depends_on, test_file, verification_steps: ['x'], files: [], size: 'small' },
});
const read = (text: string) =>
  (JSON.parse(text) as { features: { id: unknown; depends_on?: unknown[]; may_change?: string[] }[] })
    .features;

describe('a plan in a backlog', () => {
  it('is appended; every byte that was there stays', () => {
    const after = applyPlan(BEFORE, { summary: '', tasks: [task('4', 'a.js', ['3'])] }, options);
    expect(after.startsWith(BEFORE.slice(0, BEFORE.indexOf('\n  ]')))).toBe(true);
    expect(read(after)[3]).toMatchObject({ id: 4, depends_on: [3] });
  });

  it('spells ids as the file does', () => {
    const text = '{ "features": [{ "id": "1", "description": "One", "test_file": "1.js" }] }';
    expect(read(applyPlan(text, { summary: '', tasks: [task('4', 'b.js')] }, options))[1]?.id).toBe('4');
  });

  it.each(['1', '2', '3'])(
    'takes the place of task %s and leaves valid JSON with nobody waiting for it',
    id => {
      const tasks = [task('4', 'a.js'), task('5', 'b.js', ['4']), task('6', 'c.js')];
      const replaces = {
        id,
        dependsOn:
          read(BEFORE)
            .find(f => String(f.id) === id)
            ?.depends_on?.map(String) ?? [],
      };
      const after = read(applyPlan(BEFORE, { summary: '', tasks }, { ...options, replaces }));
      expect(after.map(f => f.id)).toEqual([1, 2, 3, 4, 5, 6].filter(n => String(n) !== id));
      expect(after.flatMap(f => f.depends_on ?? []).map(String)).not.toContain(id);
      expect(after.find(f => f.id === 4)?.depends_on?.map(String) ?? []).toEqual(replaces.dependsOn);
      if (id === '2') expect(after.find(f => f.id === 3)?.depends_on).toEqual([5, 6, 1]);
    },
  );

  it('says which task is not there', () => {
    expect(() => replaceTask(BEFORE, { id: '7', waitFor: [] })).toThrow('there is no feature 7');
  });
});
