import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseStructured } from '../../adapters/agents/shared/structured.ts';
import { EXIT_CODES } from '../../core/base/failure.ts';
import { getPlanProblems, PLAN_SCHEMA, type Plan } from '../../core/decide/plan.ts';
import { createProgram } from '../program.ts';

const DOCS = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
const IO = {
  env: {},
  cwd: '/',
  isTty: false,
  useColour: false,
  colourOut: false,
  out: () => undefined,
  err: () => undefined,
  exit: () => undefined,
};
const COMMANDS = (await createProgram(IO)).commands;

it.each(COMMANDS.map(command => command.name()))('docs/cli.md has the command %s', name => {
  expect(DOCS).toContain(`\`harness ${name}`);
});

it.each(COMMANDS.flatMap(command => command.options.map(option => [option.long ?? '', command.name()])))(
  'docs/cli.md has the flag %s of %s',
  flag => {
    expect(DOCS).toContain(flag);
  },
);

it.each(Object.values(EXIT_CODES))('docs/cli.md has the exit code %i', code => {
  expect(DOCS).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
});

it('docs/planning.md shows a plan that can be taken, with every field of a task', () => {
  const text = readFileSync(new URL('../../../docs/planning.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([^`]+)```/.exec(text) ?? [];
  const plan = parseStructured(json, PLAN_SCHEMA);
  const rules = { maxSteps: 7, maxFiles: 5, knownIds: [], knownTestFiles: [] };
  expect(plan.ok && getPlanProblems(plan.value as Plan, rules)).toEqual([]);
  const fields = Object.keys(PLAN_SCHEMA.properties.tasks.items.properties);
  expect(fields.filter(name => !text.includes(`\`${name}\``))).toEqual([]);
});
