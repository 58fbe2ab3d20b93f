import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT_CODES } from '../core/failure.ts';
import { createProgram } from './program.ts';

const DOCS = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
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
const COMMANDS = createProgram(IO).commands;

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
