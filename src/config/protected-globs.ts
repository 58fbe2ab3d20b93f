import { getCommandWords } from '../core/shell/command-line.ts';

/** Lockfiles by plain name: a change of one means that dependencies are installed again. */
export const LOCKFILES: readonly string[] = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'requirements.txt',
  'requirements-dev.txt',
  'Cargo.lock',
  'go.sum',
  'go.mod',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'deno.lock',
];

const CI_FILES = [
  '.github/**',
  '.gitlab-ci.yml',
  '.circleci/**',
  '.ci/**',
  '.travis.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
];

const HARNESS_FILES = [
  '.harness.yaml',
  '.harness.yml',
  'harness.config.*',
  'init.sh',
  'reset.sh',
  'harness-init.sh',
];

const REPOSITORY_FILES = ['**/.gitattributes', '**/.gitmodules'];

/**
 * What no task may change unless it says so, though no command of a proof opens it; a project adds its own. What
 * such commands do open is learnt by watching them.
 */
export const PROTECTED_GLOBS: readonly string[] = [
  ...LOCKFILES.map(name => `**/${name}`),
  ...CI_FILES,
  ...HARNESS_FILES,
  ...REPOSITORY_FILES,
];

/** How tests are usually called, for plans; what is one is decided by the runner that collects it. */
export const TEST_GLOBS: readonly string[] = [
  '**/*.test.*',
  '**/*.spec.*',
  '**/*-test.*',
  '**/*_test.*',
  '**/*_spec.*',
  '**/test_*.py',
  '**/tests.py',
  '**/conftest.py',
  '**/tests.rs',
  '**/test.js',
  '**/test.mjs',
  '**/test.cjs',
  '**/test.ts',
  '**/*Test.java',
  '**/*Tests.java',
  '**/*Test.kt',
  '**/*Test.php',
  '**/test/**',
  '**/tests/**',
  '**/spec/**',
  '**/e2e/**',
  '**/testdata/**',
  '**/__tests__/**',
  '**/__mocks__/**',
  '**/__snapshots__/**',
  '**/*.snap',
];

/** The words of a command that may name a file of the project: its scripts, and what they are given. */
export function getCommandFiles(command: string): readonly string[] {
  return getCommandWords(command).filter(
    word => /^[\w@.][\w@./-]*[./][\w@./-]*$/.test(word) && !word.startsWith('..'),
  );
}
