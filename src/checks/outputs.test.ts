import { expect, it } from 'vitest';
import { BASE, createCheckContext } from '../../test/support/check-bench.ts';
import type { TaskDef } from '../core/model/task.ts';
import { outputs } from './outputs.ts';

const { 'test/1': _, ...PLAIN } = BASE;
const DESIGN: Partial<TaskDef> = { phase: 'architecture', testFile: null, outputs: ['docs/api.md'] };

async function judge(written: Readonly<Record<string, string>>, task: Partial<TaskDef> = {}, before = {}) {
  const base = { ...PLAIN, ...before };
  const { ctx } = await createCheckContext({
    base,
    candidate: { ...base, ...written },
    task: { ...DESIGN, ...task },
  });
  return outputs(ctx);
}

it('passes a file that is written to its end', async () => {
  const text = '# API\n\nSee [the model](model.md#users), [code](../src/old) and [all](../docs).\n';
  const result = await judge({ 'docs/api.md': text }, {}, { 'docs/model.md': '# Users\nwords' });
  expect(result).toMatchObject({ status: 'passed', summary: 'one file written as the task says' });
});

it.each<[string, Readonly<Record<string, string>>, string]>([
  ['a file that is not there', { 'docs/other.md': 'words' }, 'write docs/api.md'],
  ['an empty file', { 'docs/api.md': ' \n' }, 'docs/api.md is empty'],
  ['headings alone', { 'docs/api.md': '# A\n## B\n' }, 'docs/api.md has nothing but headings'],
  ['a part that is left open', { 'docs/api.md': '# A\nwords\n## B\n\n' }, 'has nothing under "B"'],
  ['a link to nothing', { 'docs/api.md': 'see [it](gone.md)' }, 'links to gone.md, which is not there'],
  ['code beside it', { 'docs/api.md': 'words', 'src/new': 'good' }, 'put src/new back'],
])('refuses %s', async (_, written, finding) => {
  const { status, findings } = await judge(written);
  expect(status).toBe('failed');
  expect(findings.join('\n')).toContain(finding);
});

it('refuses a file that was there before and is as it was', async () => {
  const task = { outputs: ['docs/api.md', 'docs/flow.md'] };
  const { findings } = await judge({ 'docs/flow.md': 'words' }, task, { 'docs/api.md': 'words' });
  expect(findings).toEqual(['docs/api.md is as it was: the task says that it is written']);
});

it('takes globs, and what the task may change besides', async () => {
  const task = { outputs: ['docs/**'], mayChange: ['README.md'] };
  expect((await judge({ 'docs/a/b.md': 'words', 'README.md': 'words' }, task)).status).toBe('passed');
});

it('has nothing to say where tests or a person decide', async () => {
  expect((await judge({}, { testFile: 'test/1' })).status).toBe('skipped');
  expect((await judge({}, { verificationType: 'manual' })).status).toBe('skipped');
  expect(
    (await judge({}, { phase: 'engineering', validation: { command: 'x', timeoutSeconds: 1 } })).status,
  ).toBe('skipped');
});
