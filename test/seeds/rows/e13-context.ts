import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { ACTIVE, getPlan, makePlansProject } from '../plans-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

const DIR = 'docs/context';
const NOTE = 'Max price is 49 dollars.';
const scoped = (scope: string) => ({
  [`${DIR}/2026-04-17-price.md`]: `---\nsource: "slack"\nscope: "${scope}"\n---\n\n${NOTE}\n`,
});

/** What people leave in <contextDir>, and who is told. */
export const CONTEXT_FILES: readonly Row[] = [
  told(
    1,
    'a file named after the phase implement reaches who implements',
    { [`${DIR}/implement.md`]: NOTE },
    [true, false],
  ),
  told(2, 'and so does one named after the role', { [`${DIR}/coding.md`]: NOTE }, [true, false]),
  told(3, 'scope all: every plan', scoped('all'), [true, true]),
  told(4, 'scope run:0002: that plan alone', scoped('run:0002'), [false, true]),
  told(5, 'scope phase:Foundation: plans of that phase', scoped('phase:Foundation'), [true, false]),
  told(6, 'scope phase:implement: whoever implements', scoped('phase:implement'), [true, true]),
  told(7, 'scope planner: no plan', scoped('planner'), [false, false]),
  told(
    8,
    'an inbox in the folder is read as well',
    { [`${DIR}/inbox/price.md`]: `---\nscope: all\n---\n${NOTE}\n` },
    [true, true],
  ),
  {
    id: 'E13.9',
    asked: 'a file for the planner is in its prompt, each time',
    command: 'harness plan --spec spec.md, twice',
    seen: 'both prompts have it, with where it comes from',
    async show(stage) {
      const project = makeProject(stage, { ...scoped('planner'), 'spec.md': '# More\n' });
      for (const _ of [1, 2]) await project.harness('plan', '--spec', 'spec.md');
      const { out } = await project.sh('grep -l "Max price" .harness/sessions/planner-*');
      assert.equal(new Set(out.match(/planner-[0-9a-f]+/g)).size, 2, out);
      assert.match((await project.sh('cat .harness/sessions/planner-*')).out, /From slack/);
    },
  },
  {
    id: 'E13.10',
    asked: 'a file that nobody reads is told of',
    command: 'harness run; harness doctor, with <contextDir>/merge-check.md',
    seen: 'both name it, and what to call it',
    async show(stage) {
      const project = makeProject(stage, { [`${DIR}/merge-check.md`]: NOTE });
      assert.match(
        (await project.harness('run')).text,
        /context\/merge-check\.md has no role, no phase and no scope: nobody reads it/,
      );
      assert.match((await project.harness('doctor')).text, /context\/merge-check\.md has no role/);
    },
  },
  {
    id: 'E13.11',
    asked: 'a scope that there is not is told of',
    command: 'harness doctor',
    seen: 'the scope by name',
    async show(stage) {
      const project = makeProject(stage, scoped('everybody'));
      assert.match((await project.harness('doctor')).text, /the scope "everybody", which there is not/);
    },
  },
  {
    id: 'E13.12',
    asked: 'a drop for a role, once',
    command: 'harness drop note.md --role planner; harness plan --spec spec.md',
    seen: 'in its prompt',
    async show(stage) {
      const project = makeProject(stage, { 'note.md': NOTE, 'spec.md': '# More\n' });
      await project.harness('drop', 'note.md', '--role', 'planner');
      await project.harness('plan', '--spec', 'spec.md');
      assert.equal((await project.sh('grep -q "Max price" .harness/sessions/planner-*')).code, 0);
    },
  },
  {
    id: 'E13.13',
    asked: 'files for review, fix, prepare-pr and merge-check reach those phases',
    later: 'phases',
  },
];

/** 0001 belongs to the phase Foundation, 0002 to another. */
function makeProject(stage: Stage, files: Readonly<Record<string, string>>): SeedProject {
  const plans = {
    [`${ACTIVE}/0001-a.md`]: getPlan('0001'),
    [`${ACTIVE}/0002-b.md`]: getPlan('0002', { phase: 'Polish', depends_on: ['0001'] }),
  };
  return makePlansProject(stage, plans, files, { contextDir: DIR });
}

function told(
  number: number,
  asked: string,
  files: Readonly<Record<string, string>>,
  seen: readonly [boolean, boolean],
): Row {
  const who = ['0001', '0002'].filter((_, at) => seen[at]);
  return {
    id: `E13.${number}`,
    asked,
    command: 'harness run --all',
    seen:
      who.length > 0 ? `the note is in the prompt of ${who.join(' and ')} alone` : 'the note is in no prompt',
    async show(stage) {
      const project = makeProject(stage, files);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      const found = ['0001', '0002'].map(id =>
        project.sh(`grep -l "Max price" $(grep -l '[*][*]Task ${id}:' -r .harness/sessions) 2>/dev/null`),
      );
      assert.deepEqual(
        (await Promise.all(found)).map(({ out }) => out.trim() !== ''),
        seen,
      );
    },
  };
}
