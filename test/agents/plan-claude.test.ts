import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Turn } from '../../demo/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../demo/model-server/server.ts';
import { buildAll } from '../../scripts/build.js';
import type { Plan } from '../../src/core/decide/plan.ts';
import { git, SHELL_ENV, write } from '../support/git-fixture.ts';
import { TILL } from './till.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/specs/${name}`, import.meta.url), 'utf8');
const PLAN = JSON.parse(fixture('till-plan.json')) as Plan;
const dir = mkdtempSync(join(tmpdir(), 'harness-plan-claude-'));
const project = join(dir, 'till');
/** Inside the repository, where its one package is found. */
const DIST = fileURLToPath(new URL(`../../node_modules/.cache/harness/plan-${process.pid}`, import.meta.url));
let server: ModelServer;

beforeAll(async () => {
  await buildAll(DIST);
  server = await startModelServer();
  mkdirSync(project);
  write(project, { 'till.md': fixture('till.md') });
});
afterAll(async () => {
  await server.close();
  rmSync(DIST, { recursive: true, force: true });
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
});

/** The planner's first plan has a circle in it; the model mends it when it is told. */
function getTurns(): Turn[] {
  const bad = { ...PLAN, tasks: PLAN.tasks.map(task => ({ ...task, depends_on: ['5'] })) };
  const answer = (input: object): Turn => ({
    prompt: 'You are the planner',
    tools: [{ name: 'StructuredOutput', input: { ...input } }],
    usage: { input: 2_000, output: 500 },
  });
  const work = PLAN.tasks.flatMap(({ id, test_file, files }): Turn[] => {
    const prompt = `**Task ${id}:**`;
    const command = [test_file, ...files].map(getWriteCommand).join('\n');
    const run = (line: string): Turn => ({
      prompt,
      tools: [{ name: 'Bash', input: { command: line, description: 'part of the night' } }],
    });
    const approval = { name: 'StructuredOutput', input: { findings: [] } };
    return [
      run(command),
      run(`node --test ${test_file}`),
      { prompt, text: 'Done; its tests pass.' },
      { prompt, tools: [approval] },
    ];
  });
  return [answer(bad), answer(PLAN), ...work];
}

function getWriteCommand(path: string): string {
  return `mkdir -p "$(dirname ${path})" && cat > ${path} <<'END_OF_FILE'\n${TILL[path]}END_OF_FILE`;
}

function harness(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    ...SHELL_ENV,
    HARNESS_CACHE_DIR: join(dir, 'cache'),
    HARNESS_AGENT_MODULES: process.env.HARNESS_AGENT_MODULES ?? '',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
  };
  return new Promise(resolve => {
    const options = { cwd: project, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    execFile(process.execPath, [join(DIST, 'harness.js'), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test('a document becomes a plan, and the plan five proven features, through the Claude Agent SDK', async () => {
  server.play(getTurns());
  const planned = await harness('init', '--spec', 'till.md', '--agent', 'claude', '--yes', '--json');
  expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('wait for each other')]);
  expect(JSON.parse(planned.stdout)).toMatchObject({ accepted: true });
  const run = await harness('run', '--all', '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({ stopped: 'all-done' });
  expect(run.code).toBe(0);
  const status = JSON.parse((await harness('status', '--json')).stdout);
  expect(status.counts).toMatchObject({ landed: 5 });
  expect(git(project, 'rev-list', '--count', 'HEAD')).toBe('6');
  expect(
    git(project, 'log', '--format=%(trailers:key=Harness-Task,valueonly,separator=)', '-5')
      .split('\n')
      .sort(),
  ).toEqual(['1', '2', '3', '4', '5']);
  expect((await harness('audit')).code).toBe(0);
}, 200_000);
