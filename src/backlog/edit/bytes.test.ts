import fc from 'fast-check';
import { expect, it } from 'vitest';
import { getBacklogCodec } from '../codec.ts';
import { readBundle, writeBundle } from '../folder-workspace.ts';

const title = fc.stringMatching(/^[ -~äöü→✓]{1,30}$/).filter(text => text.trim() !== '');
const status = fc.constantFrom('pending', 'in_progress', 'blocked');

const loopTask = fc.record({
  title,
  description: fc.string(),
  phase: fc.constantFrom('architecture', 'uiux', 'engineering', 'qa'),
  status,
  acceptance_criteria: fc.array(title, { maxLength: 3 }),
  output_files: fc.array(fc.webPath()),
  acceptance_tags: fc.array(fc.constantFrom('auth/login', 'a b', ' x')),
  retry_count: fc.nat(9),
  started_at: fc.constantFrom(null, '2026-03-02T10:05:00Z'),
  notes: fc.option(fc.string()),
});

it('a tasks.json changes in one word when a task lands, however it is laid out', () => {
  const codec = getBacklogCodec('.harness/tasks.json');
  fc.assert(
    fc.property(
      fc.array(loopTask, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(0, 1, 2, 4, '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
      (tasks, pick, indent, eol, bom) => {
        const at = pick % tasks.length;
        const write = (done: boolean) =>
          bom +
          JSON.stringify(
            {
              metadata: { project_name: 'x', current_phase: 'qa' },
              tasks: tasks.map((task, i) => ({
                id: `eng-${i + 1}`,
                ...task,
                ...(done && i === at ? { status: 'done' } : {}),
                dependencies: i > 0 ? [`eng-${i}`] : [],
              })),
            },
            null,
            indent,
          ).replaceAll('\n', eol);
        const text = write(false);
        const landed = codec.setPasses(text, `eng-${at + 1}`, true);
        expect(landed).toBe(write(true));
        expect(codec.compare(text, landed)).toEqual({ claims: [`eng-${at + 1}`], problems: [] });
      },
    ),
  );
});

it('a plan changes in one word when it lands, and moves as it is', () => {
  const codec = getBacklogCodec('active', { completedDir: 'completed' });
  fc.assert(
    fc.property(
      title,
      fc.constantFrom('active', 'in_progress', 'blocked', 'pending'),
      fc.constantFrom('', '"', "'"),
      fc.constantFrom('', ' # as of today'),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.stringMatching(/^[a-zA-Z ,.]{0,20}$/), { maxLength: 4 }),
      (name, word, quote, comment, eol, body) => {
        const write = (value: string) =>
          [
            ...['---', 'id: "0002"', `title: ${JSON.stringify(name)}`, 'phase: Foundation'],
            ...[`status: ${quote}${value}${quote}${comment}`, 'depends_on: ["0001"]', 'estimated_passes: 2'],
            ...['acceptance_tags:', '  - "a/b"', '---', '', '# A plan', ...body, ''],
          ].join(eol);
        const others = { 'completed/0001-a.md': '---\nstatus: completed\n---\n# A\n' };
        const text = writeBundle({ ...others, '0002-b.md': write(word) });
        const landed = codec.setPasses(text, '0002', true);
        expect(readBundle(landed)).toEqual({ ...others, 'completed/0002-b.md': write('completed') });
        expect(codec.compare(text, landed)).toEqual({ claims: ['0002'], problems: [] });
      },
    ),
  );
});
