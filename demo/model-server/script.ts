/** One answer of the scripted model: what it says, which tools it calls, or how it breaks. */
export interface Turn {
  /** Played only when the newest words for the model (user text, tool results) hold this. */
  readonly when?: string;
  /** Played only in conversations whose first user message holds this. */
  readonly prompt?: string;
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  readonly usage?: TurnUsage;
  readonly fault?: Fault;
  /** Time that passes before the answer starts. */
  readonly delayMs?: number;
}

/** A tool call in the words of the agent that is driven: its tool names, its input shapes. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface TurnUsage {
  /** Tokens that were neither read from nor written to a cache. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** What a request says, whichever API it came through. */
export interface RequestView {
  readonly model: string;
  /** The first user message. */
  readonly prompt: string;
  /** Everything since the model last spoke: user text and tool results. */
  readonly newest: string;
  readonly toolNames: readonly string[];
  /** A request the agent makes for itself (a title, a probe): answered, and no part of the script. */
  readonly isSide: boolean;
  /** It wants one JSON document instead of a stream. */
  readonly wantsWhole?: boolean;
}

/** One request as it came, for tests to look at. */
export interface LoggedRequest extends RequestView {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** The place in the script of the turn that answered; null for side requests and after the end. */
  readonly turn: number | null;
}

export interface Script {
  /** The next turn for this request, which is then used up; null when none is left that fits. */
  take(view: RequestView): { readonly index: number; readonly turn: Turn } | null;
  /** Turns that nobody has asked for yet. */
  left(): number;
}

/** Plays turns in order: each is used once, and one whose conditions do not hold waits for its request. */
export function createScript(turns: readonly Turn[]): Script {
  const unplayed = turns.map((turn, index) => ({ index, turn }));
  return {
    take: view => {
      const place = unplayed.findIndex(({ turn }) => fits(turn, view));
      return place < 0 ? null : (unplayed.splice(place, 1)[0] ?? null);
    },
    left: () => unplayed.length,
  };
}

/** What the model says when its script is over, so that a run ends instead of hanging. */
export const AFTER_THE_END: Turn = { text: 'The script is over.' };

function fits(turn: Turn, view: RequestView): boolean {
  if (turn.prompt !== undefined && !view.prompt.includes(turn.prompt)) return false;
  return turn.when === undefined || view.newest.includes(turn.when);
}

/** A way for a provider to fail; the streaming ones break after about half of the answer. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: StreamFault };

export type StreamFault =
  | 'reset_before_headers'
  | 'reset_mid_stream'
  | 'eof_mid_stream'
  | 'malformed'
  | 'hang_before_headers'
  | 'hang_mid_stream';
