/** Prompts and programs of other languages that are bundled as text. */
export const TEXT_LOADERS = { '.md': 'text', '.py': 'text', '.sql': 'text' };

/** Vitest reads them as esbuild bundles them. */
export const textFiles = {
  name: 'text-files',
  transform: (text, id) =>
    Object.keys(TEXT_LOADERS).some(ending => id.endsWith(ending))
      ? `export default ${JSON.stringify(text)};`
      : null,
};
