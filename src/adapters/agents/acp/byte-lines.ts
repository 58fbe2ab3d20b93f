/** Cuts a stream into lines of bounded length; calls back with whole lines only, and not for empty ones. */
export interface ByteLines {
  push(chunk: Uint8Array): void;
  /** Bytes after the last newline: a line that never came to its end. */
  rest(): number;
}

/** Holds no more than one line, and tells as soon as that one is too long; then it hears nothing more. */
export function createByteLines(
  maxLineBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): ByteLines {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isDeaf = false;

  function keep(piece: Uint8Array): void {
    size += piece.length;
    if (size > maxLineBytes) {
      isDeaf = true;
      pieces = [];
      onTooLong();
    } else if (piece.length > 0) pieces.push(piece);
  }

  function flush(): void {
    const line = Buffer.concat(pieces);
    pieces = [];
    size = 0;
    onLine(line);
  }

  return {
    push: chunk => {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0 && !isDeaf; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        if (!isDeaf && size > 0) flush();
        from = at + 1;
      }
      if (!isDeaf) keep(chunk.subarray(from));
    },
    rest: () => size,
  };
}

const NEWLINE = 10;
