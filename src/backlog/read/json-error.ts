/** Where and why a text is not JSON, in words that do not depend on the version of Node. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first thing that keeps a text from being JSON; null when nothing does. No recursion. */
export function findJsonError(text: string): JsonError | null {
  const scan = new Scan(text);
  const message = scan.run();
  if (message === null) return null;
  const before = text.slice(0, scan.at);
  const line = before.split('\n').length;
  return { line, column: scan.at - before.lastIndexOf('\n'), message };
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'end';

/** A cursor over the text: the one place that needs state of its own. */
class Scan {
  at = 0;
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #expected: Expected = 'value';

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  run(): string | null {
    for (;;) {
      while (' \n\r\t'.includes(this.#text[this.at] ?? 'x')) this.at++;
      const char = this.#text[this.at];
      if (char === undefined) return this.#expected === 'end' ? null : `ends too early: ${this.#wish()}`;
      const message = this.#step(char);
      if (message !== null) return message;
    }
  }

  #step(char: string): string | null {
    switch (this.#expected) {
      case 'end':
        return 'has more text after its end';
      case ':':
        return this.#take(char === ':', 'value');
      case 'key or }':
        if (char === '}') return this.#close();
        return char === '"' ? this.#string(':') : this.#refuse();
      case 'key':
        return char === '"' ? this.#string(':') : this.#refuse();
      case ', or end':
        if (char === ',') return this.#take(true, this.#open.at(-1) === '{' ? 'key' : 'value');
        return char === (this.#open.at(-1) === '{' ? '}' : ']') ? this.#close() : this.#refuse();
      case 'value or ]':
        return char === ']' ? this.#close() : this.#value(char);
      case 'value':
        return this.#value(char);
    }
  }

  #value(char: string): string | null {
    if (char === '{' || char === '[') {
      this.#open.push(char);
      return this.#take(true, char === '{' ? 'key or }' : 'value or ]');
    }
    if (char === '"') return this.#string(this.#after());
    const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/;
    const match = scalar.exec(this.#text.slice(this.at, this.at + 400));
    if (!match) return this.#refuse();
    this.at += match[0].length;
    this.#expected = this.#after();
    return null;
  }

  #string(next: Expected): string | null {
    const start = this.at++;
    for (; ; this.at++) {
      const char = this.#text[this.at];
      if (char === '"') return this.#take(true, next);
      if (char === undefined || char < ' ') {
        this.at = start;
        return 'has a string that is not closed on its line';
      }
      if (char === '\\') {
        if (!/^\\(["\\/bfnrt]|u[\da-fA-F]{4})/.test(this.#text.slice(this.at, this.at + 6))) {
          return 'has a bad escape in a string (a backslash is written \\\\)';
        }
        this.at++;
      }
    }
  }

  #close(): string | null {
    this.#open.pop();
    return this.#take(true, this.#after());
  }

  #take(isRight: boolean, next: Expected): string | null {
    if (!isRight) return this.#refuse();
    this.at++;
    this.#expected = next;
    return null;
  }

  #after(): Expected {
    return this.#open.length > 0 ? ', or end' : 'end';
  }

  #refuse(): string {
    const rest = this.#text.slice(this.at, this.at + 7);
    if (/^(<<<<<<<|=======|>>>>>>>)/.test(rest)) return 'holds the marks of an unresolved merge';
    if (/^\/[/*]/.test(rest)) return 'holds a comment, which JSON does not have';
    if (/^[}\]]/.test(rest) && /^(key|value)$/.test(this.#expected))
      return 'has a comma before a closing bracket';
    return `has ${JSON.stringify(rest[0])} where ${this.#wish()}`;
  }

  #wish(): string {
    const closing = this.#open.at(-1) === '{' ? '}' : ']';
    if (this.#expected === ', or end') return `a comma or ${closing} was expected`;
    if (this.#expected === 'key' || this.#expected === 'key or }')
      return 'a key in double quotes was expected';
    return this.#expected === ':' ? 'a colon was expected' : 'a value was expected';
  }
}
