import { getWidth, type ShownLine } from './record.ts';

const CELL = { width: 7.8, height: 18, font: 13 };
const ROWS = 27;
const PADDING = 16;
const HOLD_MS = 8_000;

/** SGR codes that the program uses, as class names; what ends a style resets the class. */
const STYLES: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y' };

/** A colour code, a gap, or text up to the next of these; fallback fonts draw some glyphs wider, so they stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what marks colours
const TOKEN = /\x1b\[(?<code>\d+)m| {2,}|[✔✘⚡]|(?:(?!\x1b| {2}|[✔✘⚡]).)+/gu;

/** What a terminal showed, as a picture that plays by itself, in light and dark, and ends with the last screen. */
export function drawRecording(title: string, lines: readonly ShownLine[]): string {
  const width = Math.ceil(getWidth(lines) * CELL.width + 2 * PADDING);
  const height = ROWS * CELL.height + 2 * PADDING;
  const totalMs = (lines.at(-1)?.atMs ?? 0) + HOLD_MS;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${getColours()}${getMotion(lines, totalMs)}</style>`,
    `<rect class="s" width="${width}" height="${height}" rx="8"/>`,
    `<clipPath id="c"><rect x="${PADDING}" y="${PADDING}" width="${width}" height="${ROWS * CELL.height}"/></clipPath>`,
    `<g clip-path="url(#c)"><g transform="translate(${PADDING} ${PADDING})"><g class="up">`,
    ...lines.map((line, row) => getText(line.text, row)),
    `<rect class="s down" width="${width}" height="${lines.length * CELL.height + height}"/>`,
    '</g></g></g>',
    '</svg>\n',
  ].join('\n');
}

function getColours(): string {
  return (
    'text{fill:#24292f;white-space:pre}.s{fill:#f6f8fa}.b{font-weight:700}.d{fill:#6e7781}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}' +
    '@media(prefers-color-scheme:dark){text{fill:#d1d7e0}.s{fill:#151b23}.d{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#56d364}.y{fill:#e3b341}}'
  );
}

/** A cover moves down with each line that was shown; the text moves up when the screen is full. */
function getMotion(lines: readonly ShownLine[], totalMs: number): string {
  const steps = [...new Map(lines.map((line, row) => [line.atMs, row + 1]))];
  const getFrames = (offset: (shown: number) => number) =>
    [[0, 1] as const, ...steps, [totalMs, lines.length] as const]
      .map(([atMs, shown]) => [((100 * atMs) / totalMs).toFixed(2), offset(shown)] as const)
      .map(([at, y]) => `${at}%{transform:translateY(${y}px)}`)
      .join('');
  const getScroll = (shown: number) => -Math.max(0, shown - ROWS) * CELL.height;
  return (
    `@keyframes up{${getFrames(getScroll)}}@keyframes down{${getFrames(shown => shown * CELL.height)}}` +
    `.up{transform:translateY(${getScroll(lines.length)}px)}.down{transform:translateY(${lines.length * CELL.height}px)}` +
    `@media(prefers-reduced-motion:no-preference){.up{animation:up ${totalMs}ms step-end infinite}.down{animation:down ${totalMs}ms step-end infinite}}`
  );
}

function getText(line: string, row: number): string {
  const spans = getRuns(line).map(({ text, column, style }) => {
    const trimmed = text.trimEnd();
    const cells = [...trimmed].length;
    if (cells === 0) return '';
    const width = cells > 1 ? ` textLength="${getNumber(cells * CELL.width)}"` : '';
    const name = style === '' ? '' : ` class="${style}"`;
    return `<tspan x="${getNumber(column * CELL.width)}"${width}${name}>${escapeXml(trimmed)}</tspan>`;
  });
  return `<text y="${row * CELL.height + CELL.font}">${spans.join('')}</text>`;
}

/** Parts of a line in one style each, with the column where they begin. */
function getRuns(line: string) {
  const runs: { text: string; column: number; style: string }[] = [];
  let style = '';
  let column = 0;
  for (const { 0: text, groups } of line.matchAll(TOKEN)) {
    if (groups?.code !== undefined) {
      style = STYLES[groups.code] ?? '';
      continue;
    }
    runs.push({ text, column, style });
    column += [...text].length;
  }
  return runs;
}

function getNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
