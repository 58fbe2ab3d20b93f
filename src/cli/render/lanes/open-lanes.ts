import { getShown } from '../../terminal/cells.ts';
import type { Io } from '../../terminal/io.ts';
import type { Screen } from '../../terminal/screen.ts';
import { createProgress } from '../progress.ts';
import { createWorkReporter, type WorkReporter } from '../work-reporter.ts';
import type { Board } from './board.ts';
import { getBoardLines } from './board-lines.ts';
import { LiveBlock } from './live-block.ts';

/** Several lanes as people see them: drawn in place on a terminal, else as lines that say which lane. */
export interface Lanes {
  /** Who is told of one lane; of what they have in common, for 0. */
  get(lane: number): WorkReporter;
  /** A fact, of a lane where it is known. */
  print(text: string, lane: number | undefined): void;
  /** The board has been told something new. */
  touch(): void;
  close(): void;
}

/** Shows what the board keeps, from now on. */
export function openLanes(board: Board, io: Pick<Io, 'isTty' | 'err'>, screen: Screen): Lanes {
  const block = io.isTty ? openBlock(board, screen) : null;
  const print = (text: string, lane = 0): void => {
    const lines = getFactLines(text, lane);
    if (block) block.print(lines);
    else io.err(lines.join('\n'));
  };
  const touch = (): void => block?.touch();
  const all = new Map<number, ReturnType<typeof openLane>>();
  return {
    get(number) {
      const lane = all.get(number) ?? openLane(number);
      all.set(number, lane);
      return lane;
    },
    print,
    touch,
    close: () => {
      for (const lane of all.values()) lane.close();
      block?.close();
    },
  };

  function openLane(number: number): WorkReporter & { close(): void } {
    const err = block ? () => undefined : (text: string) => print(text, number);
    const shown = createWorkReporter(createProgress({ isTty: false, err }, screen.nowMs));
    const lane = board.getLane(number);
    const both = <Args extends readonly unknown[]>(...calls: readonly ((...args: Args) => void)[]) => {
      return (...args: Args): void => {
        for (const call of calls) call(...args);
        touch();
      };
    };
    return {
      phase: both<[string | null, string]>(shown.phase, (task, text) => lane.phase(task, text)),
      agent: both<Parameters<WorkReporter['agent']>>(shown.agent, (_, event) => lane.agent(event)),
      printed: both<[string]>(shown.printed, line => lane.printed(line)),
      command: line => {
        const end = both<[]>(shown.command(line), lane.command(line));
        touch();
        return end;
      },
      close: shown.close,
    };
  }
}

function openBlock(board: Board, screen: Screen) {
  return new LiveBlock(screen, size => {
    const view = board.getView();
    return view ? getBoardLines(view, size) : [];
  });
}

/** The lines of a fact, each with the number of its lane. */
function getFactLines(text: string, lane: number): readonly string[] {
  const lines = text.split('\n').map(line => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return { indent, text: getShown(line) };
  });
  const first = lines[0]?.indent.length ?? 0;
  if (lane === 0) return lines.map(line => line.indent + line.text);
  return lines.map(line => `[${lane}] ${line.indent.slice(first)}${line.text}`);
}
