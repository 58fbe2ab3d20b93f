import type { Style } from '../src/cli/terminal/style.ts';
import type { DemoResult } from './count.ts';
import type { Shop } from './make-shop.ts';
import type { Night } from './night.ts';
import type { DemoRun, RunListener } from './play-run.ts';
import type { Stock } from './take-stock.ts';

/** A night that can be played: what happens in it, how it is told, and what has to have come of it. */
export interface Cast<Result extends DemoResult = DemoResult> {
  readonly night: Night;
  readonly title: string;
  readonly opening: string;
  openStory(to: Listeners): Story;
  getResult(stock: Stock, played: DemoRun): Result;
  isGood(result: Result, played: DemoRun): boolean;
  /** What is said of it in the morning besides what is said of any night, and whether it is right. */
  getMore(result: Result): readonly (readonly [isRight: boolean, text: string])[];
}

export interface Listeners {
  readonly say: (text: string) => void;
  readonly style: Style;
  readonly shop: Shop;
  /** Somebody watches the terminal that it is told on. */
  readonly isWatched: boolean;
}

export interface Story extends RunListener {
  /** The night is over, whatever came of it; safe to call twice. */
  close(): void;
}
