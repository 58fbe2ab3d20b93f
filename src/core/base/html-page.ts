/** One page that needs nothing else: no scripts, nothing from outside, readable in the dark. */
export function getHtmlPage({
  title,
  style,
  body,
}: {
  readonly title: string;
  readonly style: string;
  readonly body: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Text that may come from anywhere, made harmless inside a page. */
export function escapeHtml(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    .replace(/[&<>"']/g, letter => LETTERS[letter] ?? letter);
}

const LETTERS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
