import { escapeHtml, getHtmlPage } from '../base/html-page.ts';

/** What a gate found, in the order in which somebody reads it. */
export interface GatePage {
  readonly title: string;
  readonly lead: readonly string[];
  readonly tables: readonly GateTable[];
}

interface GateTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** For a terminal, an editor, a pull request. */
export function getGateMarkdown({ title, lead, tables }: GatePage): string {
  const shown = tables.filter(({ rows }) => rows.length > 0);
  const parts = shown.map(({ title: name, heads, rows }) => {
    const lines = [heads, heads.map(() => '---'), ...rows.map(row => row.map(getCell))];
    return `## ${name}\n\n${lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')}`;
  });
  return `${[`# ${getCell(title)}`, ...lead.map(getCell), ...parts].join('\n\n')}\n`;
}

/** The same as one page that can be opened and sent. */
export function getGateHtml({ title, lead, tables }: GatePage): string {
  const shown = tables.filter(({ rows }) => rows.length > 0);
  const getRow = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const parts = shown.map(
    ({ title: name, heads, rows }) =>
      `<h2>${escapeHtml(name)}</h2>\n<table>${[getRow(heads, 'th'), ...rows.map(row => getRow(row, 'td'))].join('\n')}</table>`,
  );
  const body = [`<h1>${escapeHtml(title)}</h1>`, ...lead.map(text => `<p>${escapeHtml(text)}</p>`), ...parts];
  return getHtmlPage({ title, style: STYLE, body: `<main>\n${body.join('\n')}\n</main>` });
}

/** Words of others stay words: no cell ends early, and nothing in it is markup. */
function getCell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_<>|[\]]/g, letter => `\\${letter}`);
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem 4rem }
main { max-width: 62rem; margin: auto }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid #8884 }
th { font-weight: 600; color: GrayText }
`;
