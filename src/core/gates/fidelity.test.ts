import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getShare } from '../base/share.ts';
import { parseAcceptance } from './acceptance.ts';
import { getFidelity } from './fidelity.ts';
import { getListed, getTagged, type Requirement } from './requirements.ts';
import type { Standing, TracedTask } from './trace.ts';

const need = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  id,
  text: `text of ${id}`,
  line: 1,
  plans: [],
  ...more,
});
const task = (id: string, standing: Standing, ...tags: string[]): TracedTask => {
  const landed = standing === 'proven' || standing === 'broken';
  const names = { commit: landed ? `c${id}` : null, proof: landed ? `p${id}` : null };
  return { id, title: `task ${id}`, verificationSteps: [], tags, standing, ...names };
};
const judge = (needs: readonly Requirement[], tasks: readonly TracedTask[]) =>
  getFidelity(needs, tasks, { threshold: 0.25, isProduct: () => true });

describe('fidelity', () => {
  it.each<[string, readonly TracedTask[], string, boolean]>([
    ['no task', [], 'unknown', true],
    ['a proven task', [task('1', 'proven', 'a')], 'met', true],
    ['two proven tasks', [task('1', 'proven', 'a'), task('2', 'proven', 'a')], 'met', true],
    ['a proven task and a broken one', [task('1', 'proven', 'a'), task('2', 'broken', 'a')], 'partial', true],
    [
      'a proven task and one that was left out',
      [task('1', 'proven', 'a'), task('2', 'left-out', 'a')],
      'partial',
      true,
    ],
    ['a task by somebody’s word', [task('1', 'by-word', 'a')], 'unmet', true],
    ['a task that a later change broke', [task('1', 'reopened', 'a')], 'unmet', true],
    ['an open task', [task('1', 'open', 'a')], 'unmet', false],
    ['a proven task and an open one', [task('1', 'proven', 'a'), task('2', 'open', 'a')], 'partial', false],
    ['a task that waits for a person', [task('1', 'awaits-person', 'a')], 'unmet', false],
    ['a proven task of another', [task('1', 'proven', 'b')], 'unknown', true],
  ])('%s: %s', (_, tasks, status, due) => {
    expect(judge([need('a')], tasks).matrix).toMatchObject([{ id: 'a', status, due }]);
  });

  it('counts what is due, half of what is half done, and a little for what nobody asked for', () => {
    const tasks = [
      ...[task('1', 'proven', 'a'), task('2', 'proven', 'b'), task('3', 'broken', 'b')],
      ...[task('4', 'open', 'd'), task('5', 'proven'), task('6', 'open'), task('7', 'by-word')],
    ];
    expect(
      judge(
        ['a', 'b', 'c', 'd'].map(id => need(id)),
        tasks,
      ),
    ).toMatchObject({
      ...{ due: 3, met: 1, partial: 1, unmet: 0, unknown: 1, over: true },
      drift: 0.52,
      unrequested: [{ id: '5', title: 'task 5' }],
    });
  });

  it('calls nothing drift where nothing is due', () => {
    expect(judge([need('a')], [task('1', 'open', 'a')])).toMatchObject({ drift: 0, due: 0, over: false });
  });

  it('is over its threshold only above it', () => {
    const needs = ['a', 'b', 'c', 'd'].map(id => need(id));
    const some = (count: number) => needs.slice(0, count).map(({ id }) => task(id, 'proven', id));
    expect(judge(needs, some(3))).toMatchObject({ drift: 0.25, over: false });
    expect(judge(needs, some(2))).toMatchObject({ drift: 0.5, over: true });
  });

  it('traces tasks by tag, by the requirement’s own word, and by the same words', () => {
    const { tags: _, ...own } = task('0012', 'proven');
    const same = { ...task('9', 'proven'), verificationSteps: ['Totals include TAX.'] };
    const needs = [
      need('x', { plans: ['0012-tax'] }),
      need('y', { text: 'Totals include tax' }),
      need('z', { plans: ['001'] }),
    ];
    expect(judge(needs, [own, same]).matrix.map(({ status }) => status)).toEqual(['met', 'met', 'unknown']);
  });

  const standing = fc.constantFrom<Standing>(
    'proven',
    'by-word',
    'broken',
    'reopened',
    'awaits-person',
    'left-out',
    'open',
  );
  const tags = fc.subarray(['a', 'b', 'c', 'd']);
  const world = fc.array(fc.record({ standing, tags }), { maxLength: 8 });
  const needs = ['a', 'b', 'c'].map(id => need(id));
  const draw = (drawn: readonly { standing: Standing; tags: string[] }[]) =>
    drawn.map((one, at) => task(String(at), one.standing, ...one.tags));

  it('lies between 0 and 1, and its counts add up', () => {
    fc.assert(
      fc.property(world, drawn => {
        const { drift, due, met, partial, unmet, unknown, matrix } = judge(needs, draw(drawn));
        expect(drift).toBeGreaterThanOrEqual(0);
        expect(drift).toBeLessThanOrEqual(1);
        expect(met + partial + unmet + unknown).toBe(due);
        expect(matrix.filter(row => row.due)).toHaveLength(due);
        if (drift === 0) expect(met).toBe(due);
      }),
    );
  });

  it('never gets worse because a proof holds again, and never better because one does not', () => {
    fc.assert(
      fc.property(world, fc.nat(), (drawn, pick) => {
        const asked = drawn.filter(
          one =>
            one.tags.some(tag => tag !== 'd') && one.standing !== 'open' && one.standing !== 'awaits-person',
        );
        const chosen = asked[pick % Math.max(1, asked.length)];
        if (!chosen) return;
        const as = (now: Standing) =>
          judge(needs, draw(drawn.map(one => (one === chosen ? { ...one, standing: now } : one)))).drift;
        expect(as('proven')).toBeLessThanOrEqual(as('broken'));
        expect(as('reopened')).toBe(as('broken'));
      }),
    );
  });

  it('does not depend on the order of the tasks', () => {
    fc.assert(
      fc.property(world, drawn => {
        const tasks = draw(drawn);
        expect(judge(needs, tasks.toReversed()).drift).toBe(judge(needs, tasks).drift);
      }),
    );
  });
});

it.each([
  [0.3, 0.3],
  [0, 0],
  [1, 1],
  [25, 0.25],
  [100, 1],
])('a threshold of %d is a share of %d', (given, share) => {
  expect(getShare(given)).toBe(share);
});

describe('requirements', () => {
  it('are the tagged criteria of an acceptance file', () => {
    const file = '## Release criteria\n- **tag: `a/b`** — "x"\n  - Covered by plans: 1\n';
    expect(getTagged(parseAcceptance(file, 'f'))).toEqual([{ id: 'a/b', text: 'x', line: 2, plans: ['1'] }]);
  });

  it('are else what a specification lists under its requirements', () => {
    const spec = `# Shop
- a list elsewhere
## Functional requirements
- [ ] \`auth/login\`: people can log in
  - in any browser
- R12 - Totals include tax
### Cart
1. Keeps what is put in
- keeps what is put in.
## Acceptance criteria
* **REQ-2.1:** it is fast
- UTF-8 is read
## Environment requirements
- \`KEY\`
## Notes
- anything
`;
    expect(getListed(spec).map(({ id, text, line }) => [id, text, line])).toEqual([
      ['auth/login', 'people can log in', 4],
      ['R12', 'Totals include tax', 6],
      ['keeps-what-is-put-in', 'Keeps what is put in', 8],
      ['REQ-2.1', 'it is fast', 11],
      ['utf-8-is-read', 'UTF-8 is read', 12],
    ]);
  });
});
