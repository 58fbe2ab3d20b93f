import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { getGeneratedFiles } from './config-docs.ts';

/** `npm run docs`: writes the files that are made from schemas. */
for (const [path, text] of Object.entries(getGeneratedFiles())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
