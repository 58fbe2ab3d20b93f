import { StringDecoder } from 'node:string_decoder';

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Hands over what came after the last newline. */
  end(): void;
}

/** Turns chunks cut anywhere, also inside a character, into lines of bounded length. */
export function createLineSplitter(maxLineChars: number, onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isCut = false;

  function add(text: string): void {
    const room = maxLineChars - line.length;
    if (text.length > room) isCut = true;
    line += text.slice(0, Math.max(0, room));
  }

  function flush(): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    const whole = isCut ? `${text}…` : text;
    isCut = false;
    onLine(whole);
  }

  function split(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      add(text.slice(from, at));
      flush();
      from = at + 1;
    }
    add(text.slice(from));
  }

  return {
    push: chunk => split(decoder.write(chunk)),
    end: () => {
      split(decoder.end());
      if (line !== '' || isCut) flush();
    },
  };
}
