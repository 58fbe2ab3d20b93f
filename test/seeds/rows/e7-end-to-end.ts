import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

const FIRST = `${ACTIVE}/0001-first.md`;
const E2E = { command: 'sh e2e.sh', artifactDirs: ['shots'] };

/** The first round breaks what the end-to-end tests want, the second puts it right. */
const AGENT = `tasks:
  "0001":
    attempts:
      - [{ edit: { file: src/0001.txt, content: x } }, { edit: { file: shop.txt, content: shut } }, { claim: done }]
      - [{ edit: { file: shop.txt, content: open } }, { claim: done }]
`;

const FILES = {
  'shop.txt': 'open',
  'e2e.sh':
    'mkdir -p shots; cp shop.txt shots/seen.txt; echo "the shop is $(cat shop.txt)"; grep -q open shop.txt\n',
};

const makeShop = (
  stage: Stage,
  e2e: object = E2E,
  files: Readonly<Record<string, string>> = {},
): SeedProject =>
  makePlansProject(
    stage,
    { [FIRST]: getPlan('0001') },
    { ...FILES, ...files },
    { completedDir: COMPLETED, e2e },
  );

/** End-to-end tests before each review. */
export const END_TO_END: readonly Row[] = [
  {
    id: 'E7.1',
    asked: 'end-to-end tests run inside the loop: red ones go back to the agent',
    command: 'harness run',
    seen: 'e2e rejects the first round, it is sent back, and the second lands',
    async show(stage) {
      const project = makeShop(stage, E2E, { 'agent.yaml': AGENT });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /rejected \(e2e:[\s\S]*sent back[\s\S]*task 0001 landed/);
    },
  },
  {
    id: 'E7.2',
    asked: 'a red one becomes findings made of the end of its log',
    command: 'harness run; harness log --type verdict.given',
    seen: 'the finding has what the tests printed last',
    async show(stage) {
      const project = makeShop(stage, E2E, { 'agent.yaml': AGENT });
      await project.harness('run');
      const { text } = await project.harness('log', '--json', '--type', 'verdict.given');
      assert.match(text, /the end of the output:\\nthe shop is shut/);
    },
  },
  {
    id: 'E7.3',
    asked: 'its artifacts are kept beside the run',
    command: 'harness run',
    seen: '.harness/sessions/…/e2e/shots/seen.txt',
    async show(stage) {
      const project = makeShop(stage);
      await project.harness('run');
      assert.equal((await project.sh('cat .harness/sessions/*/e2e/shots/seen.txt')).out, 'open');
    },
  },
  {
    id: 'E7.4',
    asked: 'a missing command is no silent pass',
    command: 'harness run, with e2e.command gone-e2e',
    seen: 'nothing lands, and the base is said to have none either',
    async show(stage) {
      const project = makeShop(stage, { command: 'gone-e2e' });
      const { text } = await project.harness('run');
      assert.match(text, /inconclusive \(e2e:.*on the base they cannot be run/);
      assert.doesNotMatch(text, /task 0001 landed/);
    },
  },
];
