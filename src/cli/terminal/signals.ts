/** The first Ctrl-C stops cleanly, and says what it stopped and how to go on; the second is the system's own. */
export function listenForSignals(
  getRunning: () => string | null = () => null,
  goOn = 'harness run continues where it stopped; nothing is lost or charged',
): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const onSignal = () => {
    const running = getRunning();
    const message = `interrupted${running === null ? '' : ` while ${running}`}\n  next: ${goOn}`;
    controller.abort(Object.assign(new Error(message), { name: 'AbortError' }));
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
