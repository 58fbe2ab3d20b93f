import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

const SPEC = 'docs/product-specs/demo.md';
const ACCEPTANCE = 'docs/product-specs/demo.acceptance.md';
const getCriteria = (...tags: readonly string[]): string =>
  `# Demo\n\n## Release criteria\n\n${tags.map(tag => `- [ ] **tag: \`${tag}\`** — "x"\n`).join('')}`;

/** Two plans with the tag files/there, as the planner leaves them. */
function makeProject(stage: Stage, tags: readonly string[], config: object): SeedProject {
  const plans = { [`${ACTIVE}/0001-a.md`]: getPlan('0001'), [`${ACTIVE}/0002-b.md`]: getPlan('0002') };
  const files = { [SPEC]: '# Demo\n', [ACCEPTANCE]: getCriteria(...tags) };
  return makePlansProject(stage, plans, files, { completedDir: COMPLETED, ...config });
}

const log = (project: SeedProject): string => project.read('.harness/logs/harness-progress.txt');

/** Whether it is what was asked for, and whether it can be released. */
export const GATES: readonly Row[] = [
  {
    id: 'E11.1',
    asked: 'fidelity --spec scores what was built against what was asked',
    command: 'harness fidelity --spec docs/product-specs/demo.md',
    seen: 'one of two criteria met by proofs, drift 50 %, exit 5; no model is asked',
    async show(stage) {
      const project = makeProject(stage, ['files/there', 'files/gone'], {});
      await project.harness('run', '--all');
      const { code, text } = await project.harness('fidelity', '--spec', SPEC);
      assert.equal(code, 5, text);
      assert.match(text, /OVER: drift 50 % \(limit 25 %\), of 2 due: 1 met/);
    },
  },
  {
    id: 'E11.2',
    asked: 'after every so many plans, above the threshold work pauses with fidelity_blocked in the history',
    command: 'harness run --all, with fidelity.everyNPlans 2 and threshold 25',
    seen: 'a question, exit 7; below the threshold fidelity_check_ok, exit 0',
    async show(stage) {
      const config = { fidelity: { specPath: SPEC, everyNPlans: 2, threshold: 25 } };
      const bad = makeProject(stage, ['files/there', 'files/gone'], config);
      assert.equal((await bad.harness('run', '--all')).code, 7);
      assert.match(log(bad), /fidelity_blocked/);
      assert.match((await bad.harness('inbox')).text, /go-on[\s\S]*raise[\s\S]*abort/);
      const good = makeProject(stage, ['files/there'], config);
      assert.equal((await good.harness('run', '--all')).code, 0);
      assert.equal(log(good).match(/fidelity_check_ok/g)?.length, 1);
    },
  },
  {
    id: 'E11.3',
    asked: 'a report is kept, YYYY-MM-DD-<slug>.md and .json',
    command: 'harness fidelity, twice',
    seen: 'one report with its page, which says the same the second time',
    async show(stage) {
      const project = makeProject(stage, ['files/there'], { fidelity: { specPath: SPEC } });
      await project.harness('run', '--all');
      const first = JSON.parse((await project.harness('fidelity', '--json')).out);
      assert.match(first.report, /^\.harness\/reports\/fidelity\/\d{4}-\d\d-\d\d-demo\.md$/);
      const second = JSON.parse((await project.harness('fidelity', '--json')).out);
      assert.equal(second.report, first.report);
    },
  },
  {
    id: 'E12.1',
    asked: 'criteria with tags in <spec>.acceptance.md; a malformed one is an error with its line',
    command: 'harness release, with one tag twice',
    seen: 'exit 2, file and line',
    async show(stage) {
      const project = makeProject(stage, ['a/b', 'a/b'], { releaseGate: { specPath: ACCEPTANCE } });
      const { code, text } = await project.harness('release');
      assert.equal(code, 2, text);
      assert.match(text, /demo\.acceptance\.md:6 has the tag a\/b, which line 5 has already/);
    },
  },
  {
    id: 'E12.2',
    asked: 'RELEASE_READY once completed plans cover every tag, announced once, and the work pauses',
    command: 'harness run --all, with releaseGate.specPath',
    seen: 'exit 0, the file with at, specPath and reportPath, release_candidate_ready once',
    async show(stage) {
      const project = makeProject(stage, ['files/there'], { releaseGate: { specPath: ACCEPTANCE } });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      const file = JSON.parse(project.read('.harness/RELEASE_READY'));
      assert.deepEqual(Object.keys(file), ['at', 'specPath', 'reportPath', 'commit', 'tree', 'proofs']);
      assert.equal((await project.harness('run', '--all')).code, 0);
      assert.equal(log(project).match(/release_candidate_ready/g)?.length, 1);
    },
  },
  {
    id: 'E12.3',
    asked: 'not ready yet is no error',
    command: 'harness run --all, with a criterion that nothing covers',
    seen: 'exit 0, not a word of it, no file; harness release says which, exit 5',
    async show(stage) {
      const project = makeProject(stage, ['files/there', 'files/gone'], { releaseGate: { specPath: SPEC } });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.doesNotMatch(text, /\brelease\b/);
      assert.ok(!project.has('.harness/RELEASE_READY'));
      const asked = await project.harness('release');
      assert.equal(asked.code, 5);
      assert.match(asked.text, /uncovered files\/gone/);
    },
  },
];
