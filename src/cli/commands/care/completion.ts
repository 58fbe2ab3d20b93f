import type { Command, Option } from 'commander';
import { HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument } from '../../command/flags.ts';

export const completion = defineCommand({
  name: 'completion',
  group: 'the rest',
  on: 'nothing',
  summary: 'Print shell completion for bash, zsh or fish.',
  args: { shell: argument('bash, zsh or fish') },
  examples: ['source <(harness completion bash)'],
  json: false,
  run: async (_, { shell }, { loadProgram }) => getCompletion(await loadProgram(), shell),
  render: text => [text],
});

export const man = defineCommand({
  name: 'man',
  group: 'the rest',
  on: 'nothing',
  summary: 'Print the man page.',
  examples: ['harness man | man -l -'],
  json: false,
  run: async (_, __, { loadProgram }) => getManPage(await loadProgram()),
  render: text => [text],
});

interface Row {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Option[];
}

/** Commands and flags as the parser itself knows them: completion, man page and help cannot differ. */
function getRows(program: Command): readonly Row[] {
  return program.commands
    .filter(command => !HIDDEN.has(command.name()))
    .map(command => ({
      ...{ name: command.name(), description: command.description() },
      flags: command.options.filter(({ hidden, long }) => !hidden && long !== undefined),
    }));
}

/** Started by the harness and by agents, never by a person. */
const HIDDEN: ReadonlySet<string> = new Set(['look', 'mcp', 'serve']);

/** To be read by that shell. */
export function getCompletion(program: Command, shell: string): string {
  const rows = getRows(program);
  const text = WRITERS[shell]?.(rows);
  if (text === undefined)
    throw new HarnessError('usage', `there is no completion for ${shell}`, {
      field: '<shell>',
      fix: `harness completion <one of: ${Object.keys(WRITERS).join(', ')}>`,
    });
  return text;
}

const WRITERS: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  bash: getBash,
  zsh: getZsh,
  fish: getFish,
};

const getLongs = ({ flags }: Row): string => flags.map(({ long }) => long).join(' ');

function getBash(rows: readonly Row[]): string {
  return `# bash completion of harness:  source <(harness completion bash)
_harness() {
  local word=\${COMP_WORDS[COMP_CWORD]} flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${rows.map(row => `    ${row.name}) flags="${getLongs(row)}" ;;`).join('\n')}
  esac
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _harness harness`;
}

const getQuoted = (text: string): string => `'${text.replaceAll("'", "'\\\\''").replaceAll(':', '\\:')}'`;

function getZsh(rows: readonly Row[]): string {
  return `#compdef harness
# zsh completion of harness:  harness completion zsh > "\${fpath[1]}/_harness"
_harness() {
  local -a commands
  commands=(
${rows.map(({ name, description }) => `    ${getQuoted(`${name}`).slice(0, -1)}:${getQuoted(description).slice(1)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${rows.map(row => `    ${row.name}) compadd -- ${getLongs(row)}; _files ;;`).join('\n')}
  esac
}
compdef _harness harness`;
}

function getFish(rows: readonly Row[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return [
    '# fish completion of harness:  harness completion fish | source',
    ...rows.flatMap(({ name, description, flags }) => [
      `complete -c harness -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
      ...flags.map(
        ({ long, description: what, required }) =>
          `complete -c harness -n '__fish_seen_subcommand_from ${name}' -l ${long?.slice(2)}${required ? ' -r' : ''} -d ${quote(what)}`,
      ),
    ]),
  ].join('\n');
}

/** For man(1). */
export function getManPage(program: Command): string {
  const clean = (text: string) =>
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replace(/^([.'])/gm, '\\&$1');
  const sections = getRows(program).flatMap(({ name, description, flags }) => [
    `.SS ${clean(name)}`,
    clean(description),
    ...flags.flatMap(flag => ['.TP', `.B ${clean(flag.flags)}`, clean(flag.description)]),
  ]);
  return [
    `.TH HARNESS 1 "" "harness ${HARNESS_VERSION}"`,
    ...['.SH NAME', 'harness \\- lands only what it has proven itself'],
    ...['.SH SYNOPSIS', '.B harness', '.I command', '[flags]'],
    ...['.SH COMMANDS', ...sections],
    ...['.SH EXIT STATUS', '0 as asked, 1 failure, 2 wrong input, 3 cancelled, 4 no login, 5 not proven,'],
    ...['6 budget, 7 a person is needed, 130 interrupted.', '.SH SEE ALSO', 'docs/cli.md'],
  ].join('\n');
}
