/** Colours by what they mean; each gives the text back unchanged where nobody can see colours. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

export function createStyle(useColour: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    useColour ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    warn: paint(33, 39),
  };
}

/** A line of facts, with its label in a column of its own. */
export function getRow(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)}${text}`;
}
