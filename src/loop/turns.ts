/** Lets one caller at a time do something, or so many, in the order they came; one that fails is in nobody's way. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce = 1) {
    this.#free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Handed on directly: whoever comes now is behind all who wait.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
