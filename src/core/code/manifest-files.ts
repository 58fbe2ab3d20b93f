/** What `npm install` and its kin leave in a folder that has nothing else. */
export const MANIFEST_FILES: readonly string[] = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];
