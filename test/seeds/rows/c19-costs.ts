import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

interface Costs {
  readonly current_session: {
    readonly session_id: number;
    readonly started: string;
    readonly tokens: Tokens;
    readonly cost_usd: number;
  };
  readonly cumulative: {
    readonly total_sessions: number;
    readonly total_tokens: Tokens;
    readonly total_cost_usd: number;
    readonly by_role: readonly {
      readonly role: string;
      readonly cost_usd: number;
      readonly sessions: number;
    }[];
    readonly by_feature: readonly {
      readonly feature_id: number;
      readonly cost_usd: number;
      readonly sessions: number;
    }[];
  };
  readonly budgets: Readonly<Record<string, number>>;
}

/** Each session uses half a dollar and does its task. */
const AGENT = `tasks:
${[1, 2].map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: x } }, { burn: { input: 900, output: 80, cached: 40, cost_usd: 0.5 } }, { claim: done }]`).join('\n')}
`;

const withCosts = (stage: Stage, costs: string, agent = AGENT): SeedProject =>
  stage.project({ '.harness.yaml': `${CONFIG}costs: { ${costs} }\n`, 'agent.yaml': agent });

const readCosts = (project: SeedProject) => parse(project.read('.harness/costs.yaml')) as Costs;

/** What sessions cost, and where that ends. */
export const COSTS: readonly Row[] = [
  {
    id: 'C19.1',
    asked: 'the current session with its tokens and its price',
    command: 'harness run, then .harness/costs.yaml',
    seen: 'session_id, started, input, output and cached tokens, cost_usd',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': AGENT });
      await project.harness('run');
      const { session_id, started, tokens, cost_usd } = readCosts(project).current_session;
      assert.deepEqual([session_id, tokens, cost_usd], [1, { input: 900, output: 80, cached: 40 }, 0.5]);
      assert.match(started, /^\d{4}-\d\d-\d\dT/);
    },
  },
  {
    id: 'C19.2',
    asked: 'the sum of all sessions, and of each feature',
    command: 'harness run twice, then .harness/costs.yaml',
    seen: 'two sessions, one dollar, half of it for each feature',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': AGENT });
      await project.harness('run');
      await project.harness('run');
      const { total_sessions, total_tokens, total_cost_usd, by_feature } = readCosts(project).cumulative;
      assert.deepEqual([total_sessions, total_cost_usd, total_tokens.cached], [2, 1, 80]);
      assert.deepEqual(
        by_feature.map(({ feature_id, cost_usd, sessions }) => [feature_id, cost_usd, sessions]),
        [
          [1, 0.5, 1],
          [2, 0.5, 1],
        ],
      );
    },
  },
  {
    id: 'C19.3',
    asked: 'the same by what the sessions were for',
    command: 'harness run, then .harness/costs.yaml',
    seen: 'by_role with coding',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': AGENT });
      await project.harness('run');
      const [first] = readCosts(project).cumulative.by_role;
      assert.deepEqual([first?.role, first?.cost_usd, first?.sessions], ['coding', 0.5, 1]);
    },
  },
  {
    id: 'C19.4',
    asked: 'the budgets stand beside what was spent',
    command: 'harness run, then .harness/costs.yaml and harness status',
    seen: 'three caps; $0.50 of $200.00',
    async show(stage) {
      const project = withCosts(stage, 'per_session_usd: 3, per_feature_usd: 7');
      await project.harness('run');
      assert.deepEqual(readCosts(project).budgets, {
        per_session_usd: 3,
        per_feature_usd: 7,
        total_project_usd: 200,
      });
      assert.match((await project.harness('status')).out, /^Costs: +\$0\.50 of \$200\.00/m);
    },
  },
  {
    id: 'C19.5',
    asked: 'caps hold without any setting',
    command: 'harness run, then .harness/costs.yaml',
    seen: '10 a session, 25 a feature, 200 in all',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': AGENT });
      await project.harness('run');
      assert.deepEqual(Object.values(readCosts(project).budgets), [10, 25, 200]);
    },
  },
  {
    id: 'C19.6',
    asked: 'the cap of the project ends the run',
    command: 'harness run --all with total_project_usd: 0.4',
    seen: 'nothing after the first session, and exit 6 or a question',
    async show(stage) {
      const project = withCosts(stage, 'total_project_usd: 0.4');
      const { code, text } = await project.harness('run', '--all');
      assert.ok(code === 6 || code === 7, text);
      assert.equal(readCosts(project).cumulative.total_sessions, 1);
      assert.match((await project.harness('inbox')).out, /budget|\$0\.4/);
    },
  },
  {
    id: 'C19.7',
    asked: 'the cap of a feature asks what to do: more, pause or abort',
    command: 'harness run --all with per_feature_usd: 0.4 and an agent that fails',
    seen: 'exit 7, and the question with its options',
    async show(stage) {
      const agent = `tasks: { "*": [{ burn: { input: 9, output: 9, cost_usd: 0.5 } }, { give_up: too hard }] }\n`;
      const project = withCosts(stage, 'per_feature_usd: 0.4', agent);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.match((await project.harness('inbox')).out, /increase[\s\S]*pause[\s\S]*abort/);
    },
  },
  {
    id: 'C19.8',
    asked: 'a session that goes over its own cap is stopped in the middle',
    command: 'harness run with per_session_usd: 0.4',
    seen: 'what comes after the spending is not done',
    async show(stage) {
      const agent = `tasks: { "*": [{ burn: { input: 9, output: 9, cost_usd: 0.5 } }, { sleep: 2 }, { edit: { file: src/1.txt, content: x } }, { claim: done }] }\n`;
      const project = withCosts(stage, 'per_session_usd: 0.4', agent);
      const { code, text } = await project.harness('run');
      assert.notEqual(code, 0, text);
      assert.ok(!project.has('src/1.txt'));
      assert.match(text, /budget/);
    },
  },
];
