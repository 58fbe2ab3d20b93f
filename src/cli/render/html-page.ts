/** Text that may come from anywhere, made harmless inside a page. */
export function getEscaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
}

/** One page that needs nothing else: no scripts, nothing from outside, readable in the dark. */
export function getHtmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${getEscaped(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --soft: #8882 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --warn: #d29922 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem 4rem }
main { max-width: 62rem; margin: auto }
h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem }
p.lead { color: GrayText; margin: 0 0 1.25rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: GrayText } td.num { text-align: right; font-variant-numeric: tabular-nums }
code, pre { font: 13px/1.45 ui-monospace, monospace } pre { background: var(--soft); padding: .6rem .8rem; overflow-x: auto; border-radius: .4rem; white-space: pre-wrap }
.cards { display: flex; flex-wrap: wrap; gap: .75rem } .card { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; min-width: 7rem }
.card b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums } .good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
.none { color: GrayText } details { margin: .2rem 0 } summary { cursor: pointer }
`;
