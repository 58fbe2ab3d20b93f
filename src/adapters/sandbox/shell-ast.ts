import { type Command, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { type CommandFinding, getCommandFindings } from '../../core/shell/command-policy.ts';
import {
  getProgram,
  getStarted,
  type ShellCommand,
  type ShellLine,
  UNKNOWN,
} from '../../core/shell/shell-command.ts';

/** What is worth knowing about a command line before it runs, or after. */
export function findInCommand(line: string, denied: readonly string[]): readonly CommandFinding[] {
  return getCommandFindings(readShellLine(line), denied);
}

/** Takes a shell line apart, the scripts inside its strings too. */
export function readShellLine(line: string, depth = 0): ShellLine {
  if (line.length > MAX_CHARS || depth > MAX_DEPTH) return { commands: [], isWhole: false };
  const script = parse(line);
  const found: ShellCommand[] = [];
  visit(script, [], found);
  const inner = found.flatMap(getScripts).map(text => readShellLine(text, depth + 1));
  return {
    commands: [...found, ...inner.flatMap(({ commands }) => commands)],
    isWhole: !script.errors?.length && inner.every(({ isWhole }) => isWhole),
  };
}

const MAX_CHARS = 100_000;
const MAX_DEPTH = 5;

/** Collects every command below a node, with the names of those that are piped into it. */
function visit(node: SyntaxNode, fedBy: readonly string[], found: ShellCommand[]): void {
  if (node.type === 'Pipeline') {
    let feeders: readonly string[] = fedBy;
    for (const command of node.commands) {
      const from = found.length;
      visit(command, feeders, found);
      feeders = [...feeders, ...found.slice(from).map(({ name }) => getProgram(name))];
    }
    return;
  }
  if (node.type === 'Command') found.push(getCommand(node, fedBy));
  if (node.type === 'Redirected') {
    const writes = getWrites(node.redirects);
    if (writes.length > 0) found.push({ name: ':', args: [], writes, fedBy: [], input: null });
  }
  const isCommand = node.type === 'Command';
  forEachChild(node, child => visit(child, isCommand ? [] : fedBy, found));
}

function getCommand(node: Command, fedBy: readonly string[]): ShellCommand {
  const words = node.args
    .map(arg => (arg.type === 'Word' ? arg : arg.value))
    .filter(arg => arg.type === 'Word');
  const assigned = node.args.map(arg => (arg.type === 'Assignment' ? arg.text : null));
  const substituted: ShellCommand[] = [];
  for (const word of [...words, ...(node.name ? [node.name] : [])]) {
    for (const part of getParts(word))
      if ('script' in part && part.script) visit(part.script, [], substituted);
  }
  return {
    name: getName(node),
    args: node.args.map((arg, index) => assigned[index] ?? (arg.type === 'Word' ? getText(arg) : UNKNOWN)),
    writes: getWrites(node.redirects),
    fedBy: [...fedBy, ...substituted.map(({ name }) => getProgram(name))],
    input: getInput(node),
  };
}

/** A name with a pattern in it is whatever happens to lie there. */
function getName({ name }: Command): string {
  if (!name) return ':';
  return name.parts?.some(part => part.type === 'Glob') ? UNKNOWN : getText(name);
}

function getWrites(redirects: Command['redirects']): readonly string[] {
  return redirects.flatMap(redirect =>
    redirect.type === 'Redirect' && redirect.target && redirect.operator.includes('>')
      ? [getText(redirect.target)]
      : [],
  );
}

function getInput({ redirects }: Command): string | null {
  const last = redirects.at(-1);
  if (last?.type === 'HereDoc') return last.body.text;
  return last?.type === 'HereString' && last.target ? getText(last.target) : null;
}

/** A word as the program will see it, as far as that is known now. */
function getText(word: Word): string {
  return word.parts ? word.parts.map(getPartText).join('') : word.value;
}

function getPartText(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map(getPartText).join('');
    case 'SimpleExpansion':
      return part.text === '$HOME' ? '~' : UNKNOWN;
    case 'ParameterExpansion':
      return part.parameter === 'HOME' && !part.operation ? '~' : UNKNOWN;
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return UNKNOWN;
  }
}

function getParts(word: Word): readonly WordPart[] {
  return (word.parts ?? []).flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString' ? part.parts : [part],
  );
}

/** Text that a command will run as a script: `sh -c "…"`, `eval "…"`, a here-document, a git alias. */
function getScripts(command: ShellCommand): readonly string[] {
  const scripts = [command, ...getAllStarted(command)].flatMap(({ name, args, input }) => {
    const program = getProgram(name);
    if (program === 'eval') return [args.join(' ')];
    if (program === 'git') return args.flatMap(arg => /^alias\.[^=]*=!(.*)$/s.exec(arg)?.[1] ?? []);
    if (program === 'watch' || program === 'ssh') return [];
    if (!/^(ba|z|da|k|a)?sh$/.test(program)) return [];
    const at = args.findIndex(arg => /^-[a-z]*c$/.test(arg));
    return [...(at < 0 ? [] : args.slice(at + 1, at + 2)), ...(input === null ? [] : [input])];
  });
  // What is unknown in a script is a variable of that script's, too.
  return scripts.map(text => text.replaceAll(UNKNOWN, '"$unknown"'));
}

function getAllStarted(command: ShellCommand): readonly ShellCommand[] {
  return getStarted(command).flatMap(inner => [inner, ...getAllStarted(inner)]);
}
