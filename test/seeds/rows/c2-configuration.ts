import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Behaviour, Row } from '../behaviour.ts';
import { ACTIVE, getPlan, makePlansProject } from '../plans-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

const PLACE = join(process.cwd(), 'test', 'fixtures', 'configs');

/** A configuration as the universal harness has it, whole or in part. */
export function readExample(name: string): string {
  return readFileSync(join(PLACE, `${name}.yaml`), 'utf8');
}

const PARTS = readdirSync(PLACE)
  .map(file => file.replace('.yaml', ''))
  .filter(name => name !== 'reference');

const NAMED = 'project: { name: my-api }\nagent: { script: agent.yaml }\n';

/** Shows that it has run the test, as the defaults ask for. */
const HONEST =
  'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { run: sh test/thing-1.sh }, { claim: done }] }\n';

const ONE: Feature = {
  id: 1,
  description: 'Thing 1 exists',
  test_file: 'test/thing-1.sh',
  passes: false,
};

const SUITE = 'testing:\n  runner: command\n  feature: "sh {file}"\n';

/** The configuration of the universal harness: taken as it is, or refused with a reason. */
export const CONFIGURATION: readonly Row[] = [
  {
    id: 'C2.1',
    asked: 'the whole configuration reference, verbatim',
    command: 'harness status',
    seen: 'the project by its name, exit 0',
    async show(stage) {
      const project = stage.project({ '.harness.yaml': readExample('reference') });
      const { code, text } = await project.harness('status');
      assert.equal(code, 0, text);
      assert.match(text, /my-api/);
    },
  },
  {
    id: 'C2.2',
    asked: 'a configuration that names no agent',
    command: 'harness run with the reference as it is',
    seen: 'exit 2 and what to add; no session, no command is started',
    async show(stage) {
      const files = { 'init.sh': '#!/bin/sh\ntouch ../started\n' };
      const project = stage.project({ '.harness.yaml': readExample('reference'), ...files });
      for (const args of [
        ['run'],
        ['run', '--all'],
        ['run', '--dry-run'],
        ['loop', 'x', '--check', 'true'],
      ]) {
        const { code, text } = await project.harness(...args);
        assert.equal(code, 2, `${args.join(' ')}: ${text}`);
        assert.match(text, /agent: \{ provider: claude \}/);
      }
      assert.equal(project.has('../started'), false);
      assert.equal(project.has('.harness/sessions'), false);
    },
  },
  ...PARTS.map(
    (name, at): Behaviour => ({
      id: `C2.${at + 3}`,
      asked: `its example for ${name}, verbatim`,
      command: 'harness run',
      seen: 'a task lands, exit 0, without a word on what is not set',
      show: async stage => {
        const example = readExample(name).replace(/(poetry run|curl) .*/g, 'sh test/all.sh');
        const project = stage.project({
          '.harness.yaml': `${NAMED}${/^testing:/m.test(example) ? example.replace('testing:\n', SUITE) : `${example}${SUITE}  full: sh test/all.sh\n`}`,
          'agent.yaml': HONEST,
          'features.json': getBacklog([{ ...ONE, validation: { command: 'sh test/thing-1.sh' } }]),
        });
        const { code, text } = await project.harness('run');
        assert.equal(code, 0, text);
        assert.match(text, /task 1 landed/);
      },
    }),
  ),
  {
    id: 'C2.20',
    asked: 'variables of a server that is switched off are not needed',
    command: 'harness status with tools.mcp_servers.postgres, off and on',
    seen: 'exit 0; switched on, exit 2 with the name of the variable',
    async show(stage) {
      const tools = readExample('tools');
      const off = await getStatus(stage, tools);
      assert.equal(off.code, 0, off.text);
      const on = await getStatus(stage, tools.replace('enabled: false', 'enabled: true'));
      assert.equal(on.code, 2);
      assert.match(on.text, /connection_string needs the environment variable DATABASE_URL/);
    },
  },
  refusal(21, 'verification: { harness_verify: false }', /harness_verify cannot be switched off/),
  refusal(22, 'verification: { regression_check: false }', /regression_check cannot be switched off/),
  refusal(23, 'verification: { max_features_per_session: 2 }', /max_features_per_session must be 1/),
  refusal(24, 'tools: { filesystem: { enabled: false } }', /filesystem\.enabled must be true/),
  refusal(25, 'costs: { per_sesion_usd: 3 }', /Did you mean costs\.per_session_usd\?/),
  {
    id: 'C2.26',
    asked: 'a setting of a part that is not built is named, not passed over',
    command: 'harness run; harness doctor',
    seen: 'a note before the first attempt, a warning',
    async show(stage) {
      const config = CONFIG.replace('verification:', 'convergence: { max_qa_cycles: 1 }\nverification:');
      const project = stage.project({ '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /note: .*convergence\.max_qa_cycles has no effect/);
      assert.match((await project.harness('doctor')).text, /convergence\.max_qa_cycles has no effect/);
    },
  },
  {
    id: 'C2.27',
    asked: 'settings that do nothing yet are one line, and errors in several settings keep their layout',
    command: 'harness run with three of them; harness status with two sections that nobody knows',
    seen: 'one note with the three names, reasons in doctor; every line of the fix indented',
    async show(stage) {
      const config = `${CONFIG}github: { sync_mode: none }\nconvergence: { max_qa_cycles: 1, max_rework_tasks: 1 }\n`;
      const project = stage.project({ '.harness.yaml': config });
      const { text } = await project.harness('run');
      assert.match(
        text,
        /no effect yet.*: github\.sync_mode, convergence\.max_qa_cycles, convergence\.max_rework_tasks/,
      );
      assert.equal(text.match(/no effect/g)?.length, 1);
      assert.match((await project.harness('doctor')).text, /max_rework_tasks has no effect: /);
      project.write({ '.harness.yaml': `${CONFIG}agnt: 1\nfoo: 2\n` });
      const { err } = await project.harness('status');
      assert.doesNotMatch(err.slice(err.indexOf('\n') + 1), /^\S/m);
    },
  },
  {
    id: 'C2.28',
    asked: 'completed_dir beside features.json is named, not passed over',
    command:
      'harness run, harness doctor, with plan.completed_dir and a features.json; the same with a folder of plans',
    seen: 'a note before the first attempt, a warning; neither where the backlog is a folder',
    async show(stage) {
      const config = `${CONFIG}plan: { completed_dir: docs/done }\n`;
      const project = stage.project({ '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /note: .*plan\.completed_dir has no effect: .*the backlog is features\.json/);
      assert.match((await project.harness('doctor')).text, /plan\.completed_dir has no effect/);
      const plans = makePlansProject(stage, { [`${ACTIVE}/0001-first.md`]: getPlan('0001') });
      assert.doesNotMatch((await plans.harness('run')).text, /no effect/);
    },
  },
];

function getStatus(stage: Stage, more: string) {
  return stage.project({ '.harness.yaml': `${NAMED}${more}` }).harness('status');
}

function refusal(number: number, setting: string, seen: RegExp): Behaviour {
  return {
    id: `C2.${number}`,
    asked: `${setting} is refused, with the reason`,
    command: 'harness run',
    seen: 'exit 2, the field and what to do; nothing is started',
    show: async stage => {
      const project: SeedProject = stage.project({ '.harness.yaml': mergeSetting(setting) });
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, seen);
      assert.equal(project.has('.harness'), false);
    },
  };
}

function mergeSetting(setting: string): string {
  return `${CONFIG.replace(/^verification:.*\n/m, '')}${setting}\n`;
}
