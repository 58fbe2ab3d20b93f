import { Command as Parser } from 'commander';
import { expect, it } from 'vitest';
import { EXIT_CODES } from '../../core/base/failure.ts';
import { aside, defineCommand } from './define-command.ts';
import {
  argument,
  choice,
  count,
  ids,
  must,
  no,
  optional,
  or,
  repeated,
  several,
  text,
  yes,
} from './flags.ts';

const everything = defineCommand({
  name: 'try',
  group: 'looking',
  summary: 'Try everything.',
  on: 'nothing',
  args: { task: argument('its id'), option: optional('an answer'), others: several('more ids') },
  flags: {
    all: yes('all of them'),
    run: no('do not run'),
    reason: text('<text>', 'why'),
    size: choice('<size>', 'how much', ['small', 'large']),
    maxTasks: count('<n>', 'how many'),
    dependsOn: ids('<ids>', 'what first'),
    mayChange: repeated('<glob>', 'which'),
    since: or(text('<time>', 'from then on'), '24h'),
    out: must(text('<dir>', 'where to')),
  },
  remark: 'It has a remark.',
  examples: ['harness try 1 --out x'],
  run: async (_, input) => input,
  render: ({ task }, { input }) => [`task ${task}`, aside(`written to ${input.out}`)],
  exitCode: ({ all }) => (all ? EXIT_CODES.unproven : 0),
});

async function run(command: typeof everything, args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  let code = -1;
  const io = {
    ...{ env: {}, cwd: '/', isTty: false, useColour: false, colourOut: false },
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    exit: (given: number) => {
      code = given;
    },
  };
  const program = new Parser().exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  command.declare(program, io, async () => program);
  await program.parseAsync(['node', 'harness', command.name, ...args]);
  return { out, err, code, value: () => JSON.parse(out[0] ?? '') };
}

it('a use case is given what was said, and nothing for what was not', async () => {
  const { value } = await run(everything, ['1', '--out', 'x', '--json']);
  expect(value()).toEqual({ task: '1', others: [], run: true, mayChange: [], since: '24h', out: 'x' });
});

it('each flag gives what its kind says', async () => {
  const flags = '--all --no-run --size small --max-tasks 3 --depends-on 1,2 --may-change a --may-change b';
  const args = ['1', 'retry', '2', '3', ...flags.split(' '), '--since', '2h', '--out', 'x', '--json'];
  const { value } = await run(everything, args);
  expect(value()).toEqual({
    ...{ task: '1', option: 'retry', others: ['2', '3'], all: true, run: false, size: 'small' },
    ...{ maxTasks: 3, dependsOn: ['1', '2'], mayChange: ['a', 'b'], since: '2h', out: 'x' },
  });
});

it('a person gets lines, and what is said beside the answer goes to stderr', async () => {
  expect(await run(everything, ['1', '--out', 'x'])).toMatchObject({
    ...{ out: ['task 1'], err: ['written to x'], code: 0 },
  });
});

it('the exit code follows from the result, with --json too', async () => {
  for (const json of [[], ['--json']])
    expect((await run(everything, ['1', '--all', '--out', 'x', ...json])).code).toBe(EXIT_CODES.unproven);
});

it.each([
  [['1'], /--out/],
  [['1', '--out', 'x', '--max-tasks', '0'], /whole number above 0/],
  [['1', '--out', 'x', '--size', 'huge'], /small, large/],
  [['--out', 'x'], /missing required argument 'task'/],
])('%j is refused', async (args, message) => {
  await expect(run(everything, args)).rejects.toThrow(message);
});

it('help has the flags that all commands share, a remark and examples', async () => {
  const program = new Parser();
  everything.declare(program, {} as never, async () => program);
  let help = '';
  program.commands[0]?.configureOutput({
    writeOut: said => {
      help += said;
    },
  });
  program.commands[0]?.outputHelp();
  expect(help).toContain('answer in JSON on stdout');
  expect(help).toContain('It has a remark.\n\nExample:\n  harness try 1 --out x');
});
