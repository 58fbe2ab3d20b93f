import { Option, type Command as Parser } from 'commander';
import { type Checkout, getWhere, openCheckout, type Where } from '../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../app/project/open-project.ts';
import type { Io } from '../terminal/io.ts';
import { createStyle, type Style } from '../terminal/style.ts';
import { declareFeature, takeFeature } from './feature.ts';
import { declareArgument, declareFlag, type Given, type GivenByName, type InputOf } from './flags.ts';

/** What commands are for; `harness` alone lists them so. The first group is what everybody needs. */
export type Group =
  | 'main'
  | 'setting up'
  | 'working'
  | 'deciding'
  | 'stopping'
  | 'looking'
  | 'judging'
  | 'the rest';

/** What a command works on, opened before it and closed after it. */
interface Subjects {
  readonly project: Project;
  /** A checkout with its configuration, in which nothing may have been committed yet. */
  readonly checkout: Checkout;
  /** A folder that may be no project at all. */
  readonly folder: Where;
  readonly nothing: null;
}

/** What a use case may need of the terminal while it works: progress, questions, Ctrl-C. */
export interface Terminal {
  readonly io: Io;
  /** A program reads the answer: nobody is asked anything. */
  readonly json: boolean;
  /** Every command there is, as the parser knows it. */
  loadProgram(): Promise<Parser>;
}

/** Goes to stderr, so that a pipe gets the answer alone. */
export interface Aside {
  readonly aside: string;
}

export const aside = (text: string): Aside => ({ aside: text });

/** What an answer is shown with. */
export interface Page<Input> {
  readonly style: Style;
  readonly cwd: string;
  readonly input: Input;
}

export interface CommandSpec<
  A extends GivenByName,
  F extends GivenByName,
  Result,
  On extends keyof Subjects = 'project',
> {
  readonly name: string;
  /** None for what the harness itself starts: no list shows it. */
  readonly group: Group | null;
  readonly summary: string;
  /** What it works on; a project when not said. */
  readonly on?: On;
  readonly args?: A;
  readonly flags?: F;
  /** One line of help between flags and examples. */
  readonly remark?: string;
  readonly examples: readonly string[];
  /** The help of `--json`, or false where a program asks for nothing else. */
  readonly json?: string | false;
  /** The use case. `--json` prints exactly what it gives; undefined has been shown already. */
  run(subject: Subjects[On], input: InputOf<A> & InputOf<F>, terminal: Terminal): Promise<Result>;
  /** The same for a person. */
  readonly render?: (
    result: Exclude<Result, undefined>,
    page: Page<InputOf<A> & InputOf<F>>,
  ) => readonly (string | Aside)[];
  /** What `--json` prints where the answer has a text of its own. */
  readonly toJson?: (result: Exclude<Result, undefined>) => string;
  /** 0 when not said. */
  readonly exitCode?: (result: Exclude<Result, undefined>) => number;
}

/** A command as the program knows it, whatever its flags are. */
export interface Command {
  readonly name: string;
  readonly group: Group | null;
  /** Tells the parser about it. */
  declare(program: Parser, io: Io, loadProgram: () => Promise<Parser>): void;
}

/** A command is one file: its flags, the use case it calls, and how the answer is shown. */
export function defineCommand<
  const A extends GivenByName = Record<never, never>,
  const F extends GivenByName = Record<never, never>,
  Result = undefined,
  On extends keyof Subjects = 'project',
>(spec: CommandSpec<A, F, Result, On>): Command {
  const { name, group } = spec;
  return {
    name,
    group,
    declare(program, io, loadProgram) {
      const parser = program.command(name, { hidden: group === null }).description(spec.summary);
      if (group !== null) parser.helpGroup(group === 'main' ? 'Commands:' : `${group}:`);
      declareShared(parser, spec.on ?? 'project', spec.json);
      const { args: wanted = {}, flags: known = {} } = spec;
      for (const [key, given] of Object.entries<Given<unknown>>(wanted)) declareArgument(parser, key, given);
      for (const [key, given] of Object.entries<Given<unknown>>(known)) declareFlag(parser, key, given);
      declareFeature(parser, wanted, known);
      const remark = spec.remark === undefined ? '' : `\n${spec.remark}\n`;
      if (spec.examples.length > 0)
        parser.addHelpText('after', `${remark}\nExample:\n  ${spec.examples.join('\n  ')}`);
      parser.action(() => {
        const { repo, json = false, ...flags } = parser.opts<Shared>();
        const names = Object.keys(wanted);
        const args = names.flatMap((key, at) =>
          parser.processedArgs[at] === undefined ? [] : [[key, parser.processedArgs[at]]],
        );
        const typed = { ...Object.fromEntries(args), ...flags };
        const input = takeFeature(typed, wanted, known) as InputOf<A> & InputOf<F>;
        return perform(spec, input, repo, { io, json, loadProgram });
      });
    },
  };
}

interface Shared {
  readonly repo?: string;
  readonly json?: boolean;
}

function declareShared(parser: Parser, on: keyof Subjects, json: string | false | undefined): void {
  if (on !== 'nothing')
    parser.addOption(new Option('--repo <path>', 'the repository to work on').env('HARNESS_TARGET_REPO'));
  if (json !== false) parser.option('--json', json ?? 'answer in JSON on stdout, errors too');
}

async function perform<A extends GivenByName, F extends GivenByName, Result, On extends keyof Subjects>(
  spec: CommandSpec<A, F, Result, On>,
  input: InputOf<A> & InputOf<F>,
  repo: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { io, json } = terminal;
  const opened = await open(spec.on ?? 'project', io, repo);
  let result: Result;
  try {
    result = await spec.run(opened.subject as Subjects[On], input, terminal);
  } finally {
    await opened.close();
  }
  if (result === undefined) return;
  const given = result as Exclude<Result, undefined>;
  io.exit(spec.exitCode?.(given) ?? 0);
  if (json) return io.out(spec.toJson?.(given) ?? JSON.stringify(given));
  const page = { style: createStyle(io.colourOut), cwd: io.cwd, input };
  for (const line of spec.render?.(given, page) ?? [])
    if (typeof line === 'string') io.out(line);
    else io.err(line.aside);
}

/** What is opened here is closed here, however the command ends. */
async function open(
  on: keyof Subjects,
  io: Io,
  repo: string | undefined,
): Promise<{ readonly subject: Subjects[keyof Subjects]; close(): Promise<void> }> {
  const where =
    on === 'nothing'
      ? null
      : getWhere({ cwd: io.cwd, env: io.env, warn: text => io.err(`warning: ${text}`) }, repo);
  if (where === null || on === 'folder') return { subject: where, close: async () => undefined };
  const subject = on === 'checkout' ? await openCheckout(where) : await openProject(where);
  return { subject, close: subject.close };
}
