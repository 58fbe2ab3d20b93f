import { expect, it } from 'vitest';
import type { RunnerKind, TestRun } from '../model/testing.ts';
import { getStartProblem } from './unstarted.ts';

const RUN: TestRun = {
  ...{ command: 'run', exitCode: 1, timedOut: false, results: [], outputTail: '', durationMs: 1 },
  reportProblem: 'the command left no report (exit 1)',
};

it.each<[string, RunnerKind, Partial<TestRun>]>([
  ['a runner that is not installed', 'mocha', { outputTail: 'npm error could not determine executable' }],
  ['a package that is missing', 'mocha', { outputTail: "Error: Cannot find module 'chai'" }],
  ['a runner that says nothing', 'vitest', {}],
  ['pytest that is missing', 'pytest', { outputTail: '/usr/bin/python3: No module named pytest' }],
  ['a build tool that is missing', 'vitest', { command: 'tsc && vitest', outputTail: 'sh: tsc: not found' }],
])('%s is told, with the command and what to set', (_, runner, changes) => {
  const problem = getStartProblem({ ...RUN, ...changes }, runner, null);
  expect(problem).toContain(changes.command ?? 'run');
  expect(problem).toContain('environment.install');
  expect(problem).toContain(changes.outputTail ?? 'nothing');
});

it.each([
  ['npm error could not determine executable to run'],
  ['npm error Missing script: "test"'],
  ['npm error code E404\nnpm error 404 Not Found'],
  ['/usr/bin/python3: No module named pytest'],
])('a launcher that finds nothing is no failing test, even by exit code: %s', outputTail => {
  const problem = getStartProblem({ ...RUN, outputTail }, 'command', null);
  expect(problem).toContain('run could not be started');
  expect(problem).toContain('testing.full');
  expect(problem).toContain(outputTail);
});

it.each<[string, RunnerKind, Partial<TestRun>]>([
  ['there are no tests yet', 'vitest', { outputTail: 'No test files found, exiting with code 1' }],
  ['pytest collected none', 'pytest', { exitCode: 5, outputTail: 'no tests ran in 0.01s' }],
  ['only the exit code is known', 'command', {}],
  ['a program of the task is not there yet', 'command', { outputTail: 'test.sh: line 1: tool: not found' }],
  ['a package of the task is not there yet', 'command', { outputTail: "Cannot find package 'left-pad'" }],
  ['a test failed', 'mocha', { results: [{ id: 'a', outcome: 'failed' }] }],
  ['code that a test wants is not there', 'mocha', { outputTail: "Error: Cannot find module '../src/cart'" }],
  ['code does not compile', 'cargo', { exitCode: 101, outputTail: 'error[E0425]: cannot find function' }],
  ['types do not fit yet', 'vitest', { command: 'tsc && vitest run', outputTail: 'error TS2305' }],
  ['it went well', 'junit', { exitCode: 0 }],
])('nothing is wrong with the ground when %s', (_, runner, changes) => {
  expect(getStartProblem({ ...RUN, ...changes }, runner, null)).toBeNull();
});

it('is wrong with it when the runner ended well and nobody heard of a test', () => {
  expect(getStartProblem({ ...RUN, exitCode: 0 }, 'node', null)).toMatch(
    /ended well on the base, and .*no report/,
  );
});
