/** One word of a command line, with where it stands, so that the rest can be left as it was written. */
export interface Word {
  /** Without its quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The simple commands of a shell line (`a && b | c` has three), each as its words. Knows quotes,
 * escapes, comments, `$(…)` and redirections; anything finer is the shell's business.
 */
export function getCommands(line: string): readonly (readonly Word[])[] {
  const commands: Word[][] = [[]];
  let at = 0;
  while (at < line.length) {
    const char = line[at] as string;
    if (char !== '\n' && /\s/.test(char)) at++;
    else if (char === '#') at = getLineEnd(line, at);
    else if (isSeparator(line, at)) {
      if (commands.at(-1)?.length) commands.push([]);
      at++;
    } else {
      const word = getWord(line, at);
      commands.at(-1)?.push(word);
      at = word.end;
    }
  }
  return commands.filter(words => words.length > 0);
}

/** Whether a word sets a variable for the command that follows. */
export function isAssignment(word: string): boolean {
  return /^\w+=/.test(word);
}

/** The same line with texts put in at given places. */
export function getWithInserts(
  line: string,
  inserts: readonly { readonly at: number; readonly text: string }[],
): string {
  return [...inserts]
    .sort((a, b) => b.at - a.at)
    .reduce((text, insert) => text.slice(0, insert.at) + insert.text + text.slice(insert.at), line);
}

function isSeparator(line: string, at: number): boolean {
  const char = line[at] as string;
  if (char === '&') return line[at - 1] !== '>' && line[at + 1] !== '>';
  return ';|()\n'.includes(char);
}

function getLineEnd(line: string, at: number): number {
  const end = line.indexOf('\n', at);
  return end === -1 ? line.length : end;
}

function getWord(line: string, start: number): Word {
  let value = '';
  let at = start;
  while (at < line.length && !/\s/.test(line[at] as string) && !isSeparator(line, at)) {
    const char = line[at] as string;
    if (char === '\\') {
      value += line[at + 1] ?? '';
      at += 2;
    } else if (char === "'" || char === '"') {
      const end = getQuoteEnd(line, at);
      value += line.slice(at + 1, end);
      at = end + 1;
    } else if (line.startsWith('$(', at)) {
      const end = getSubstitutionEnd(line, at);
      value += line.slice(at, end);
      at = end;
    } else {
      value += char;
      at++;
    }
  }
  return { value, start, end: Math.min(at, line.length) };
}

function getQuoteEnd(line: string, at: number): number {
  const quote = line[at];
  for (let i = at + 1; i < line.length; i++) {
    if (line[i] === '\\' && quote === '"') i++;
    else if (line[i] === quote) return i;
  }
  return line.length;
}

function getSubstitutionEnd(line: string, at: number): number {
  let depth = 0;
  for (let i = at + 1; i < line.length; i++) {
    if (line[i] === '(') depth++;
    if (line[i] === ')' && --depth === 0) return i + 1;
  }
  return line.length;
}

/** Every word of a command line, with paths from here as git writes them. */
export function getCommandWords(line: string): readonly string[] {
  const words = getCommands(line).flatMap(list => list.map(({ value }) => value));
  return words.map(word => (word.startsWith('./') ? word.slice(2) : word));
}

/** The program that a shell line begins with, where it is told by its bare name; null for paths and all that is finer. */
export function getProgramName(line: string): string | null {
  const [first = []] = getCommands(line);
  const word = first.find(({ value }) => !isAssignment(value));
  if (word === undefined || line[word.end] === '(' || !/^[\w@%+:.-]+$/.test(word.value)) return null;
  return word.value.startsWith('-') ? null : word.value;
}

/** The program of a shell line that is told by a path in the project, such as `./agent.sh`; null for any other. */
export function getRelativeProgram(line: string): string | null {
  const [path = ''] = /^(?!\/)\.?[\w@.-]*(?:\/[\w@.-]+)+/.exec(line.trimStart()) ?? [];
  return path === '' || path.split('/').includes('..') ? null : path;
}
