const CHANCE =
  /\bMath\.random\b|\brandom(?:Int|Bytes|UUID)\b|\bgetRandomValues\b|\b(?:random|secrets|rand|numpy\.random)\.\w+\(|\buuid4\(|\brand\.(?:Int|Float)/;
const CLOCK =
  /(?:\bDate\.now\(\)|\.now\(\)|\btime\(\)|\btime_ns\(\)|hrtime\S*|[mM]illiseconds?\(\)|microsecond)\s*\)?\s*[%&]/;

/** Whether a line leaves something to chance, or to the tick of a clock. */
export function leavesToChance(line: string): boolean {
  return CHANCE.test(line) || CLOCK.test(line);
}
