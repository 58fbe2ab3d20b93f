import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { getCompletion, getManPage } from './commands/care/completion.ts';
import { getCommandLines } from './commands/look/status.ts';
import { createProgram } from './program.ts';

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
const HIDDEN = ['look', 'mcp', 'serve'];
const program = await createProgram(IO);
const NAMES = program.commands.map(command => command.name()).filter(name => !HIDDEN.includes(name));

it('every command is one of the eight or listed with others of its group, once', () => {
  const [main = [], others = []] = getCommandLines(program)
    .join('\n')
    .split('\n\n')
    .map(part => part.split('\n'));
  const listed = [
    ...main.map(line => line.trim().split(' ')[0] ?? ''),
    ...others.flatMap(line => line.split(': ')[1]?.trim().split(', ') ?? []),
  ];
  expect(listed.filter(name => name !== 'help').sort()).toEqual([...NAMES].sort());
  expect(main).toHaveLength(8);
});

it('they fit on one screen of 80 columns', () => {
  const lines = getCommandLines(program);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.filter(line => line.length > 80)).toEqual([]);
});

it.each(['bash', 'zsh', 'fish'])('%s completes every command and every flag', shell => {
  const text = getCompletion(program, shell);
  for (const name of NAMES) expect(text).toContain(name);
  for (const { options } of program.commands)
    for (const { long } of options)
      if (long && long !== '--dir' && long !== '--job') expect(text).toContain(long.slice(2));
});

it('bash itself can read what it is given', () => {
  const ask = 'COMP_WORDS=(harness verify --ba); COMP_CWORD=2; _harness; echo $COMPREPLY';
  const script = `${getCompletion(program, 'bash')}\n${ask}`;
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()).toBe('--base');
});

it('the man page has every command', () => {
  const page = getManPage(program);
  for (const name of NAMES) expect(page).toContain(`.SS ${name.replaceAll('-', '\\-')}`);
});

it('a shell that nobody knows is refused with those there are', () => {
  expect(() => getCompletion(program, 'tcsh')).toThrow(/no completion for tcsh/);
});
