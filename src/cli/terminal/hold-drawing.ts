/** Whoever draws in place on the one terminal that a process has. */
export interface Painter {
  /** Takes away what is drawn, and draws nothing more. */
  hold(): void;
  /** Draws again. */
  release(): void;
}

const painters = new Set<Painter>();
let holders = 0;

/** From now on it is asked to stop while somebody is asked something; the answer ends that. */
export function addPainter(painter: Painter): () => void {
  painters.add(painter);
  if (holders > 0) painter.hold();
  return () => {
    painters.delete(painter);
  };
}

/** A person who types is not drawn over. */
export async function holdDrawing<T>(act: () => Promise<T>): Promise<T> {
  if (holders++ === 0) for (const { hold } of painters) hold();
  try {
    return await act();
  } finally {
    if (--holders === 0) for (const { release } of painters) release();
  }
}
