/**
 * Words of code that may say something else the next time: chance, clocks, ids that are drawn, the state of the machine.
 * They decide nothing: where one stands in new lines, tests are asked more often.
 */
const CHANCE =
  /random|\brand\w*\(|shuffle|uuid|entropy|\bsecrets\.|\bDate\b|datetime|\btime\.|\btime(?:_ns)?\(|hrtime|\bnow\(|\bperformance\b|perf_counter|monotonic|m(?:illi|icro)seconds?\b|\bclock\b|\bp?pid\b|freemem|memoryUsage|loadavg|uptime/i;

/** Whether a line may leave something to chance, or to the tick of a clock. */
export function leavesToChance(line: string): boolean {
  return CHANCE.test(line);
}
