import { getCells } from '../../terminal/cells.ts';
import { addPainter } from '../../terminal/hold-drawing.ts';
import type { Screen, ScreenSize } from '../../terminal/screen.ts';

const GAP_MS = 100;
const TICK_MS = 1_000;

/**
 * Facts that scroll, and below them lines that are drawn in place: at most ten times a second, each time with one
 * write. The cursor waits below them, where whatever else is written does the least harm.
 */
export class LiveBlock {
  readonly #screen: Screen;
  readonly #getLines: (size: ScreenSize) => readonly string[];
  readonly #ticker: NodeJS.Timeout;
  readonly #ends: readonly (() => void)[];
  #drawn: readonly string[] = [];
  #facts: readonly string[] = [];
  #drawnMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isHeld = false;
  #isClosed = false;

  constructor(screen: Screen, getLines: (size: ScreenSize) => readonly string[]) {
    this.#screen = screen;
    this.#getLines = getLines;
    this.#ticker = setInterval(() => this.touch(), TICK_MS).unref();
    this.#ends = [
      screen.watch({
        resized: () => this.touch(),
        lost: () => this.#forget(),
        ending: () => this.close(),
      }),
      addPainter({ hold: () => this.#hold(), release: () => this.#release() }),
    ];
  }

  /** Lines that stay, above the others. */
  print(lines: readonly string[]): void {
    this.#facts = [...this.#facts, ...lines];
    this.touch();
  }

  /** What is drawn may be another now. */
  touch(): void {
    if (this.#isHeld || this.#timer !== undefined) return;
    const waitMs = this.#isClosed ? 0 : this.#drawnMs + GAP_MS - this.#screen.nowMs();
    if (waitMs <= 0) this.#draw();
    else this.#timer = setTimeout(() => this.#draw(), waitMs).unref();
  }

  /** Takes away what is drawn; safe to call twice. What is printed later is written as it comes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isHeld = false;
    clearInterval(this.#ticker);
    for (const end of this.#ends) end();
    this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const size = this.#screen.getSize();
    const lines = this.#isHeld || this.#isClosed ? [] : this.#getLines(size);
    if (this.#facts.length === 0 && isSame(lines, this.#drawn)) return;
    const added = [...this.#facts, ...lines].map(line => `${line}\n`);
    this.#screen.write([getErase(this.#drawn, size.columns), ...added].join(''));
    this.#facts = [];
    this.#drawn = lines;
    this.#drawnMs = this.#screen.nowMs();
  }

  #hold(): void {
    this.#isHeld = true;
    this.#draw();
  }

  #release(): void {
    this.#isHeld = false;
    this.touch();
  }

  #forget(): void {
    this.#drawn = [];
    this.touch();
  }
}

function isSame(lines: readonly string[], others: readonly string[]): boolean {
  return lines.length === others.length && lines.every((line, at) => line === others[at]);
}

/** Up to the first line that was drawn, and everything away from there: on a screen that is narrower now, a line takes several rows. */
function getErase(drawn: readonly string[], columns: number): string {
  if (drawn.length === 0) return '';
  const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(getCells(line) / columns)), 0);
  return `\r\u001b[${rows}A\u001b[J`;
}
