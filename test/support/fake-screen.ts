import type { Screen, ScreenListener, ScreenSize } from '../../src/cli/terminal/screen.ts';

/** A terminal in memory: what a person would see after all that was written to it. */
export class FakeScreen implements Screen {
  /** Every write, in order. */
  readonly writes: string[] = [];
  readonly nowMs: () => number;
  #size: ScreenSize;
  /** Rows of cells, what scrolled away included; a wide letter leaves the cell behind it empty. */
  readonly #rows: string[][] = [[]];
  #listener: ScreenListener | null = null;
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number, nowMs: () => number) {
    this.#size = { columns, rows };
    this.nowMs = nowMs;
  }

  getSize(): ScreenSize {
    return this.#size;
  }

  /** As most terminals do it: lines that are too long now go on in the next row. */
  resize(columns: number, rows: number): void {
    const lines = this.#rows.splice(0).flatMap(row => chunk(row, columns));
    this.#rows.push(...lines);
    this.#row = lines.length - 1;
    this.#column = 0;
    this.#size = { columns, rows };
    this.#listener?.resized();
  }

  watch(listener: ScreenListener): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = null;
    };
  }

  /** What a terminal and its shell may do besides. */
  signal(what: 'lost' | 'ending'): void {
    this.#listener?.[what]();
  }

  write(text: string): void {
    this.writes.push(text);
    for (const [part] of text.matchAll(PARTS)) this.#take(part);
  }

  /** What can be seen, without the empty rows at the end. */
  seen(): string[] {
    return this.all().slice(this.#getTop());
  }

  /** The same, with what has scrolled away. */
  all(): string[] {
    const lines = this.#rows.map(row => row.join('').trimEnd());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** The rows below which nothing is. */
  getCursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row - this.#getTop(), column: this.#column };
  }

  #getTop(): number {
    return Math.max(0, this.#rows.length - this.#size.rows);
  }

  #take(part: string): void {
    if (part === '\r') this.#column = 0;
    else if (part === '\n') this.#break();
    else if (part.startsWith('\u001b')) this.#obey(part);
    else this.#put(part);
  }

  #put(letter: string): void {
    const cells = WIDE.test(letter) ? 2 : 1;
    if (this.#column + cells > this.#size.columns) this.#break();
    const row = this.#rows[this.#row] ?? [];
    while (row.length < this.#column) row.push(' ');
    row.splice(this.#column, cells, letter, ...(cells === 2 ? [''] : []));
    this.#column += cells;
  }

  #break(): void {
    this.#row++;
    this.#column = 0;
    if (this.#row === this.#rows.length) this.#rows.push([]);
  }

  #obey(command: string): void {
    const [, count, what] = /^.\[(\d*)([A-Z])$/.exec(command) ?? [];
    if (what === 'A') this.#row = Math.max(this.#getTop(), this.#row - Number(count || 1));
    else if (what === 'J') {
      this.#rows[this.#row]?.splice(this.#column);
      const below = this.#rows.length - this.#row - 1;
      if (below > 0) this.#rows.splice(this.#row + 1, below, ...Array.from({ length: below }, () => []));
    } else throw new Error(`the screen does not know ${JSON.stringify(command)}`);
  }
}

const PARTS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|[\\s\\S]`, 'gu');
const WIDE = /[\u3040-\ua4cf\uac00-\ud7a3\uff01-\uff60\u{1f300}-\u{1faff}]/u;

function chunk(row: readonly string[], size: number): string[][] {
  const rows = [row.slice(0, size)];
  for (let at = size; at < row.length; at += size) rows.push(row.slice(at, at + size));
  return rows;
}
