/** Vitest reads prompt templates as esbuild bundles them: as text. */
export const markdownAsText = {
  name: 'markdown-as-text',
  transform: (text, id) => (id.endsWith('.md') ? `export default ${JSON.stringify(text)};` : null),
};
