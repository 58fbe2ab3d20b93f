import assert from 'node:assert/strict';
import { getSampleFiles } from '../../support/sample-project.ts';
import type { Behaviour, Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const WORKS = {
  agent: { provider: 'scripted', script: 'agent.yaml' },
  testing: { runner: 'command', full: 'sh test/all.sh', feature: 'sh {file}' },
  verification: { require_evidence: false },
};

const PLAN = `---
id: "0001"
title: Thing 1 exists
status: active
validation: test -f src/1.txt
---
Make it.
`;

const AGENT = 'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { claim: done }] }\n';

/** A project whose configuration is this file instead of the sample's. */
function place(stage: Stage, file: string, text: string, more: Record<string, string | null> = {}) {
  const { '.harness.yaml': _, ...files } = getSampleFiles();
  return stage.repository({ ...files, [file]: text, ...more } as Record<string, string>);
}

function lands(
  id: string,
  asked: string,
  [file, text]: readonly [string, string],
  more?: Record<string, string>,
): Behaviour {
  return {
    ...{ id, asked, command: 'harness run', seen: 'a task lands, exit 0' },
    show: async stage => {
      const { code, text: said } = await place(stage, file, text, more).harness('run');
      assert.equal(code, 0, said);
      assert.match(said, /task \S+ landed/);
    },
  };
}

/** Loaded as it is: the agent is another matter, and named where it cannot be had. */
function loads(id: string, asked: string, config: object, seen: RegExp): Behaviour {
  return {
    ...{ id, asked, command: 'harness doctor', seen: String(seen) },
    show: async stage => {
      const project = place(stage, 'harness.config.json', JSON.stringify(config));
      const { text } = await project.harness('doctor');
      assert.match(text, /harness\.config\.json of project project/);
      assert.match(text, seen);
    },
  };
}

/** A variable that wins over the file. */
function variable(id: string, name: string, value: string, seen: RegExp): Behaviour {
  return {
    ...{
      id,
      asked: `${name} wins over the file`,
      command: `${name}=${value} harness run`,
      seen: String(seen),
    },
    show: async stage => {
      const project = place(stage, 'harness.config.json', JSON.stringify(WORKS), {
        'agent.sh': '#!/bin/sh\necho "I am $HARNESS_MODEL"; mkdir -p src; touch src/1.txt\n',
        'plans/0001-a.md': PLAN,
      });
      project.git('branch', 'trunk');
      const without = await project.harness('run', '--dry-run');
      assert.doesNotMatch(without.text, seen);
      const { text } = await project.harnessIn({ [name]: value }, 'run', '--dry-run');
      assert.match(text, seen);
    },
  };
}

/** `harness.config.{json,ts}`: its forms, its names, its variables. */
export const CONFIG_FILES: readonly Row[] = [
  lands('E2.1', 'harness.config.json', ['harness.config.json', JSON.stringify(WORKS)]),
  lands('E2.2', 'harness.config.ts with settings as its export', [
    'harness.config.ts',
    `const config: object = ${JSON.stringify(WORKS)};\nexport default config;\n`,
  ]),
  lands('E2.3', 'harness.config.ts with a function as its export', [
    'harness.config.ts',
    `export default async () => (${JSON.stringify(WORKS)});\n`,
  ]),
  loads(
    'E2.4',
    'one line is enough: the agent’s provider',
    { agent: { provider: 'claude' } },
    /Claude Agent SDK/,
  ),
  loads(
    'E2.5',
    'agent.model, agent.reasoningEffort, agent.maxReviewPasses',
    { agent: { provider: 'codex', model: 'gpt-6', reasoningEffort: 'high', maxReviewPasses: 4 } },
    /Codex SDK/,
  ),
  loads(
    'E2.6',
    'modelClient is the agent that plans',
    { agent: { provider: 'claude' }, modelClient: { provider: 'codex', model: 'gpt-6' } },
    /Claude Agent SDK[\s\S]*Codex SDK/,
  ),
  loads(
    'E2.7',
    'all other sections by their own names',
    {
      agent: { provider: 'claude' },
      ...{ planDir: 'plans', completedDir: 'plans/done', contextDir: 'context', stateDir: '.state' },
      ...{ appPaths: ['src'], baseBranch: 'main', rateLimitBackoffMs: 1000, maxRateLimitRetries: 3 },
      e2e: { command: 'npx playwright test', artifactDirs: ['playwright-report'] },
      devServer: { url: 'http://localhost:3000', command: 'npm run dev', readyTimeoutSec: 60 },
      fidelity: { everyNPlans: 5, specPath: 'docs/spec.md', threshold: 0.25 },
      releaseGate: { specPath: 'docs/spec.md' },
      budget: { ceilingTokens: 5000000 },
    },
    /ok +config +harness\.config\.json of project (?![\s\S]*has no effect)/,
  ),
  lands(
    'E2.8',
    'planDir is the backlog',
    ['harness.config.json', JSON.stringify({ ...WORKS, planDir: 'plans' })],
    { 'plans/0001-a.md': PLAN, 'agent.yaml': AGENT },
  ),
  {
    id: 'E2.9',
    asked: 'docs/exec-plans/active is the backlog where nothing else is',
    command: 'harness run',
    seen: 'the plan there lands',
    async show(stage) {
      const { 'features.json': _, '.harness.yaml': __, ...files } = getSampleFiles();
      const project = stage.repository({
        ...files,
        'harness.config.json': JSON.stringify(WORKS),
        'docs/exec-plans/active/0001-a.md': PLAN,
        'agent.yaml': AGENT,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /task 0001 landed/);
    },
  },
  variable('E2.10', 'HARNESS_AGENT_PROVIDER', 'nobody', /HARNESS_AGENT_PROVIDER must be one of scripted/),
  variable('E2.11', 'HARNESS_PLAN_DIR', 'plans', /task 0001/),
  variable('E2.12', 'HARNESS_BASE_BRANCH', 'nowhere', /nowhere/),
  {
    id: 'E2.13',
    asked: 'HARNESS_AGENT_MODEL and HARNESS_AGENT_PROVIDER choose who works',
    command: 'HARNESS_AGENT_MODEL=mine harness run',
    seen: 'the program is told the model',
    async show(stage) {
      const agent = { command: 'sh agent.sh' };
      const project = place(stage, 'harness.config.json', JSON.stringify({ ...WORKS, agent }), {
        'agent.sh': 'mkdir -p src; echo "$HARNESS_MODEL" > src/1.txt\n',
      });
      const { code, text } = await project.harnessIn({ HARNESS_AGENT_MODEL: 'mine' }, 'run');
      assert.equal(code, 0, text);
      assert.equal(project.read('src/1.txt'), 'mine\n');
    },
  },
  {
    id: 'E2.14',
    asked: 'HARNESS_STATE_DIR says where the records are, for every command',
    command: 'HARNESS_STATE_DIR=.orchestrator harness run, status',
    seen: 'the records lie there, and status reads them there',
    async show(stage) {
      const project = place(stage, 'harness.config.json', JSON.stringify(WORKS));
      const env = { HARNESS_STATE_DIR: '.orchestrator' };
      assert.equal((await project.harnessIn(env, 'run')).code, 0);
      assert.ok(project.has('.orchestrator/logs/harness-progress.txt'));
      assert.doesNotMatch((await project.harnessIn(env, 'status')).text, /none yet/);
      assert.match((await project.harness('status')).text, /Last session: none yet/);
    },
  },
];
