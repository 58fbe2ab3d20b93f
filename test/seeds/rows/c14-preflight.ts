import assert from 'node:assert/strict';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const ONE: readonly Feature[] = [
  { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false },
];

const SPENDS = `tasks:
  "1": [{ burn: { cost_usd: 2 } }, { edit: { file: src/1.txt, content: x } }, { claim: done }]
  "2": [{ edit: { file: src/2.txt, content: x } }, { claim: done }]
`;

interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

/** A project of one task whose environment writes down what is run, in order. */
function open(stage: Stage, environment: string, more: Record<string, string | null> = {}): SeedProject {
  return stage.project({
    'features.json': getBacklog(ONE),
    '.harness.yaml': `${CONFIG}${environment}`,
    ...more,
  });
}

/** What preflight looked at last. */
async function readChecks(project: SeedProject): Promise<readonly Check[]> {
  const { out } = await project.harness('log', '--type', 'preflight', '--json');
  const last = out.trim().split('\n').at(-1) ?? '{}';
  return (JSON.parse(last) as { checks?: readonly Check[] }).checks ?? [];
}

async function hasStartedSession(project: SeedProject): Promise<boolean> {
  const { out } = await project.harness('log', '--type', 'session.started', '--json');
  return out.includes('session.started');
}

/** Shell that writes its word down beside the project and then does the rest. */
const note = (project: { readonly log: string }, word: string, then = 'true') =>
  `echo ${word} >> ${project.log}; ${then}`;

/** A place outside every tree that commands of the environment may write to. */
function getPlace(stage: Stage): { readonly dir: SeedProject; readonly log: string; readonly flag: string } {
  const dir = stage.folder();
  return { dir, log: `${dir.dir}/ran`, flag: `${dir.dir}/well` };
}

function getConfig(place: ReturnType<typeof getPlace>, lines: Readonly<Record<string, string>>): string {
  const environment = Object.entries(lines).map(([key, line]) => `  ${key}: '${line}'`);
  return `${CONFIG}sandbox: { writable: ["${place.dir.dir}"] }\nenvironment:\n${environment.join('\n')}\n`;
}

/** What is looked at before an agent costs anything. */
export const PREFLIGHT: readonly Row[] = [
  {
    id: 'C14.1',
    asked:
      'working directory, files, git state, environment, health, baseline and budget are looked at, in this order',
    command: 'harness run; harness log --type preflight --json',
    seen: 'the checks by name, each passed',
    async show(stage) {
      const project = open(stage, "environment: { init: 'true', health_check: 'true' }\n");
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const names = [
        'working_directory',
        'harness_files',
        'git_state',
        'init',
        'health',
        'baseline_tests',
        'budget',
      ];
      const checks = await readChecks(project);
      assert.deepEqual(
        checks.map(({ name }) => name).filter(name => names.includes(name)),
        names,
      );
      assert.ok(checks.every(({ passed }) => passed));
    },
  },
  {
    id: 'C14.2',
    asked: 'each check can be switched off',
    command: 'harness run with preflight.checks all off',
    seen: 'none of them in the record',
    async show(stage) {
      const off = [
        'working_directory',
        'harness_files',
        'git_state',
        'environment',
        'baseline_tests',
        'budget',
      ];
      const project = open(
        stage,
        `environment: { init: 'exit 1' }\npreflight: { checks: { ${off.map(name => `${name}: false`).join(', ')} } }\n`,
      );
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const names = (await readChecks(project)).map(({ name }) => name);
      assert.deepEqual(
        names.filter(name => off.includes(name)),
        [],
      );
    },
  },
  {
    id: 'C14.3',
    asked: 'init fails: reset, init again',
    command: 'harness run with an init that heals on reset',
    seen: 'init reset init, and the task lands',
    async show(stage) {
      const place = getPlace(stage);
      const config = getConfig(place, {
        init: note(place, 'init', `test -e ${place.flag}`),
        reset: note(place, 'reset', `touch ${place.flag}`),
      });
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal(place.dir.read('ran').split('\n').join(' '), 'init reset init ');
    },
  },
  {
    id: 'C14.4',
    asked: 'the health check fails: reset, init, health check again',
    command: 'harness run with a health check that heals on reset',
    seen: 'init health reset init health, and the task lands',
    async show(stage) {
      const place = getPlace(stage);
      const config = getConfig(place, {
        init: note(place, 'init'),
        health_check: note(place, 'health', `test -e ${place.flag}`),
        reset: note(place, 'reset', `touch ${place.flag}`),
      });
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal(place.dir.read('ran').split('\n').join(' '), 'init health reset init health ');
    },
  },
  {
    id: 'C14.5',
    asked: 'at most max_reset_attempts resets, then stop',
    command: 'harness run with a health check that never passes and max_reset_attempts: 1',
    seen: 'one reset, exit 1, no session, a question',
    async show(stage) {
      const place = getPlace(stage);
      const config = `${getConfig(place, {
        health_check: note(place, 'health', 'false'),
        reset: note(place, 'reset'),
      })}preflight: { on_failure: { max_reset_attempts: 1 } }\n`;
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 1, text);
      assert.equal(place.dir.read('ran').split('\n').join(' '), 'health reset health ');
      assert.equal(await hasStartedSession(project), false);
      assert.match((await project.harness('inbox')).text, /sanity/);
    },
  },
  {
    id: 'C14.6',
    asked: 'auto_reset: false resets nothing',
    command: 'harness run with a failing init and auto_reset: false',
    seen: 'init once, exit 1',
    async show(stage) {
      const place = getPlace(stage);
      const config = `${getConfig(place, {
        init: note(place, 'init', 'false'),
        reset: note(place, 'reset'),
      })}preflight: { on_failure: { auto_reset: false } }\n`;
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 1, text);
      assert.equal(place.dir.read('ran').trim(), 'init');
    },
  },
  {
    id: 'C14.7',
    asked: 'a reset that fails is put before a person',
    command: 'harness run with a failing init and reset',
    seen: 'exit 1 and the question reset',
    async show(stage) {
      const project = open(stage, "environment: { init: 'false', reset: 'exit 3' }\n");
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 1, text);
      assert.match((await project.harness('inbox')).text, /reset-1-1/);
    },
  },
  {
    id: 'C14.8',
    asked: 'init.sh has to be executable, and that is found before anything is started',
    command: 'harness run with ./init.sh without its program bit',
    seen: 'exit 1, the file and how to let it be run, the script not started',
    async show(stage) {
      const place = getPlace(stage);
      const project = open(stage, 'environment: { init: ./init.sh }\n', {
        'init.sh': `echo started >> ${place.log}\n`,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 1, text);
      assert.match(
        (await project.harness('log', '--type', 'preflight', '--json')).out,
        /update-index --chmod=\+x init\.sh/,
      );
      assert.equal(place.dir.has('ran'), false);
      project.git('update-index', '--chmod=+x', 'init.sh');
      project.git('checkout', '-q', '--', 'init.sh');
      project.git('commit', '-q', '-m', 'Let it be run');
    },
  },
  {
    id: 'C14.9',
    asked: 'the linter belongs to the sanity check: errors on the base are a warning',
    command: 'harness run with testing.sanity.lint that fails',
    seen: 'a WARN line with what it said, and the task lands',
    async show(stage) {
      const config = CONFIG.replace(
        'testing:\n',
        "testing:\n  sanity: { lint: 'echo seven errors; exit 1' }\n",
      );
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(project.log(), /WARN \[1\] lint: .*seven errors/);
    },
  },
  {
    id: 'C14.10',
    asked: 'or they stop the run, as set',
    command: 'harness run with preflight.checks.lint: stop',
    seen: 'exit 1, no session',
    async show(stage) {
      const config = CONFIG.replace(
        'testing:\n',
        "testing:\n  sanity: { lint: 'echo seven errors; exit 1' }\n",
      );
      const project = stage.project({
        'features.json': getBacklog(ONE),
        '.harness.yaml': `${config}preflight: { checks: { lint: stop } }\n`,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 1, text);
      assert.match(project.log(), /ERROR \[1\] \[ENV_SETUP\] lint: .*seven errors/);
      assert.equal(await hasStartedSession(project), false);
    },
  },
  {
    id: 'C14.11',
    asked: 'no budget, no agent',
    command: 'harness run --all with a cap that the first task uses up',
    seen: 'exit 6, one session',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': `${CONFIG}costs: { total_project_usd: 1, per_session_usd: 9, per_feature_usd: 9 }\n`,
        'agent.yaml': SPENDS,
      });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 6, text);
      const { out } = await project.harness('log', '--type', 'session.started', '--json');
      assert.equal(out.trim().split('\n').length, 1);
    },
  },
  {
    id: 'C14.12',
    asked: 'environment.stop after the session',
    command: 'harness run with environment.stop',
    seen: 'it ran once, after the landing',
    async show(stage) {
      const place = getPlace(stage);
      const config = getConfig(place, { init: note(place, 'init'), stop: note(place, 'stop') });
      const project = stage.project({ 'features.json': getBacklog(ONE), '.harness.yaml': config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal(place.dir.read('ran').trim().split('\n').join(' '), 'init stop');
    },
  },
  {
    id: 'C14.13',
    asked: 'environment.stop also after a session that came to nothing; that it fails is told',
    command: 'harness run with an agent that lies and a stop that fails',
    seen: 'a WARN line',
    async show(stage) {
      const project = open(stage, "environment: { init: 'true', stop: 'echo still busy; exit 3' }\n", {
        'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n',
      });
      await project.harness('run');
      assert.match(project.log(), /WARN environment\.stop .*still busy/);
    },
  },
];
