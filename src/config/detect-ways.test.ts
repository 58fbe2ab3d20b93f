import { describe, expect, it } from 'vitest';
import { detectProject } from './detect/detect.ts';
import type { DetectedProject } from './detect/detection.ts';

type Repo = Readonly<Record<string, string>>;
const node = (scripts: Readonly<Record<string, string>>, ...dev: readonly string[]): string =>
  JSON.stringify({
    name: 'shop',
    scripts,
    devDependencies: Object.fromEntries(dev.map(name => [name, '1'])),
  });
const ci = (...runs: readonly string[]): string =>
  `on: push\njobs:\n  test:\n    steps:\n${runs.map(run => `      - run: ${JSON.stringify(run)}\n`).join('')}`;
const one = (script: string, ...dev: readonly string[]): Repo => ({
  'package.json': node({ test: script }, ...dev),
});

/** One row for each way of testing, and what is proposed for it. */
const ROWS: readonly (readonly [title: string, repo: Repo, expected: Partial<DetectedProject>])[] = [
  [
    'mocha behind nyc and a type test, with all its options',
    one('xo && nyc --reporter lcov mocha -r @babel/register --recursive test/ && tsd', 'xo', 'mocha', 'nyc'),
    {
      ...{ runner: 'mocha', full: 'npx mocha -r @babel/register --recursive test/', lint: 'npx xo' },
      notes: [expect.stringContaining('does more than run mocha')] as never,
      otherWays: [{ runner: 'command', full: 'npm test' }],
    },
  ],
  [
    'what runs before the tests',
    { 'package.json': node({ pretest: 'npm run build', build: 'rollup -c', test: 'mocha' }, 'mocha') },
    { full: 'npm run pretest && npx mocha', notes: [] },
  ],
  [
    'a program of the project before node:test',
    { 'package.json': node({ pretest: 'node build.js', test: 'node --test test/' }) },
    { runner: 'node', full: 'node build.js && node --test test/' },
  ],
  [
    'a program that drives the runner by itself, among other scripts',
    {
      'package.json': node(
        { lint: 'standard', test: 'npm run lint && npm run unit', unit: 'nyc node test.js' },
        'mocha',
        'nyc',
        'standard',
      ),
    },
    { runner: 'command', full: 'node test.js', feature: 'npx mocha {file}', lint: 'npm run lint' },
  ],
  ['a plain program', one('node test.js'), { runner: 'command', full: 'node test.js' }],
  [
    'variables that a helper sets',
    one('cross-env NODE_ENV=test TS=1 jest --ci', 'jest', 'cross-env'),
    { runner: 'jest', full: 'NODE_ENV=test TS=1 npx jest --ci' },
  ],
  [
    'scripts that are run in turn',
    {
      'package.json': node({ test: 'run-s lint test:*', lint: 'eslint .', 'test:unit': 'vitest' }, 'vitest'),
    },
    { runner: 'vitest', full: 'npx vitest run' },
  ],
  [
    'ava by file',
    one('xo && ava --serial test/*.js', 'ava', 'xo'),
    { runner: 'tap', full: 'npx ava --serial test/*.js --tap', feature: 'npx ava --serial --tap {file}' },
  ],
  [
    'tap',
    one('tap test/*.js', 'tap'),
    { runner: 'tap', full: 'npx tap test/*.js --reporter=tap', feature: 'npx tap --reporter=tap {file}' },
  ],
  [
    'tape behind a pretty printer',
    one("tape -r esm 'test/**/*.js' | tap-spec", 'tape'),
    { runner: 'tap', full: "npx tape -r esm 'test/**/*.js'", feature: 'npx tape -r esm {file}' },
  ],
  [
    'uvu',
    one('uvu -r esm test', 'uvu'),
    { runner: 'command', full: 'npx uvu -r esm test', feature: 'node -r esm {file}' },
  ],
  [
    'jasmine',
    one('jasmine --config=spec/support.json', 'jasmine'),
    { runner: 'command', feature: 'npx jasmine --config=spec/support.json {file}' },
  ],
  [
    'playwright',
    one('playwright test', '@playwright/test'),
    {
      runner: 'junit',
      full: 'PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} npx playwright test --reporter=junit',
      feature: 'PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} npx playwright test --reporter=junit {file}',
    },
  ],
  [
    'bun test',
    one('bun test'),
    {
      ...{ runner: 'junit', full: 'bun test --reporter=junit --reporter-outfile={report}' },
      feature: 'bun test --reporter=junit --reporter-outfile={report} ./{file}',
    },
  ],
  [
    'deno test',
    { 'deno.json': '{ "tasks": { "test": "deno test -A src/" } }' },
    {
      ...{ language: 'deno', runner: 'junit', full: 'deno test -A src/ --junit-path={report}' },
      feature: 'deno test -A --junit-path={report} {file}',
    },
  ],
  [
    'two runners, of which none reports for both',
    one('mocha && ava', 'mocha', 'ava'),
    { runner: 'command', full: 'npm test' },
  ],
  [
    'a workspace that is tested alike',
    {
      'package.json': JSON.stringify({
        workspaces: ['packages/*'],
        scripts: { test: 'npm test --workspaces' },
      }),
      'packages/a/package.json': node({ test: 'node --test' }),
      'packages/b/package.json': node({ test: 'node --test' }),
    },
    { runner: 'node', full: 'node --test', otherWays: [{ runner: 'command', full: 'npm test' }] },
  ],
  [
    'a workspace of mocha',
    {
      'package.json': node({ test: 'pnpm -r test' }, 'mocha'),
      'pnpm-workspace.yaml': 'packages:\n  - "pkg/*"\n',
      'pkg/a/package.json': node({ test: 'mocha test/*.js' }),
    },
    { runner: 'mocha', full: "npx mocha 'pkg/a/test/*.js'" },
  ],
  [
    'the install of the pipeline',
    {
      ...one('mocha', 'mocha'),
      '.github/workflows/ci.yml': ci('npm install --legacy-peer-deps', 'npm test'),
    },
    {
      install: 'npm install --no-package-lock',
      otherInstalls: expect.arrayContaining(['npm install --legacy-peer-deps --no-package-lock']) as never,
    },
  ],
  [
    'the tests of the pipeline where nothing else tells',
    {
      'main.zig': '',
      '.github/workflows/ci.yml': ci('zig build test', 'echo test', 'rm -rf tests/data', './verify tests'),
    },
    { runner: 'command', full: './verify tests' },
  ],
  [
    'oxlint, and a lint script that writes',
    { 'package.json': node({ lint: 'oxlint --fix', test: 'node --test' }, 'oxlint') },
    { lint: 'npx oxlint' },
  ],
  [
    'Python without any packaging file',
    { 'shop.py': '', 'test_shop.py': 'import unittest\nclass T(unittest.TestCase): pass\n' },
    {
      language: 'python',
      runner: 'command',
      full: 'python3 -m unittest',
      feature: 'python3 -m unittest {file}',
    },
  ],
  [
    'unittest in a folder that is no package',
    { 'setup.py': '', 'tests/test_a.py': 'import unittest\n' },
    {
      full: 'python3 -m unittest',
      otherWays: [
        expect.objectContaining({ full: 'python3 -m unittest discover -s tests -t .' }),
        expect.objectContaining({ full: 'python3 -m unittest discover -s tests' }),
      ] as never,
    },
  ],
  [
    'nose2',
    { 'setup.cfg': '[options.extras_require]\ntest = nose2\n', 'tests/test_a.py': 'import unittest\n' },
    { runner: 'junit', full: expect.stringContaining('python3 -m nose2 --plugin') as never },
  ],
  [
    'tox, as the last to try',
    { 'tox.ini': '[testenv]\ncommands = python -m unittest\n', 'tests/test_a.py': 'import unittest\n' },
    { otherWays: expect.arrayContaining([{ runner: 'command', full: 'tox' }]) as never },
  ],
  ['nox', { 'noxfile.py': 'import nox\n' }, { runner: 'command', full: 'nox' }],
  [
    'hatch',
    { 'pyproject.toml': '[project]\nname = "a"\n[tool.hatch.envs.default.scripts]\ntest = "python -m x"\n' },
    { runner: 'command', full: 'hatch run test' },
  ],
  [
    'pip in the pipeline',
    {
      'requirements.txt': 'flask\n',
      'tests/test_a.py': 'def test_a(): pass\n',
      '.github/workflows/ci.yml': ci('python -m pip install --upgrade pip', 'pip install -e .[test]'),
    },
    {
      ...{ runner: 'pytest', install: null },
      otherInstalls: ['python3 -m pip install -e .[test]', 'python3 -m pip install -r requirements.txt'],
    },
  ],
  [
    'maven',
    { 'pom.xml': '<project><artifactId>till</artifactId></project>' },
    {
      language: 'java',
      name: 'till',
      runner: 'junit',
      full: 'mvn -B test',
      report: 'target/surefire-reports',
    },
  ],
  [
    'gradle with its wrapper',
    { 'build.gradle.kts': '', gradlew: '' },
    { runner: 'junit', full: './gradlew test --console=plain', report: 'build/test-results/test' },
  ],
  [
    'dotnet',
    { 'src/Till.csproj': '' },
    { language: 'dotnet', full: 'dotnet test', install: 'dotnet restore' },
  ],
  [
    'phpunit of the project',
    { 'composer.json': '{ "name": "acme/till", "require-dev": { "phpunit/phpunit": "^9" } }' },
    {
      ...{ name: 'till', runner: 'junit', full: 'vendor/bin/phpunit --log-junit {report}' },
      feature: 'vendor/bin/phpunit --log-junit {report} {file}',
    },
  ],
  [
    'rspec',
    { '.rspec': '', 'spec/till_spec.rb': '' },
    { language: 'ruby', runner: 'command', full: 'rspec', feature: 'rspec {file}', install: null },
  ],
  [
    'minitest by rake',
    { Gemfile: 'gem "minitest"\n', Rakefile: 'Minitest::TestTask.create\n' },
    { full: 'bundle exec rake test', install: 'bundle install' },
  ],
  [
    'mix',
    { 'mix.exs': 'app: :till' },
    { language: 'elixir', name: 'till', full: 'mix test', feature: 'mix test {file}' },
  ],
  [
    'ctest',
    { 'CMakeLists.txt': 'project(till C)\nenable_testing()\n' },
    { name: 'till', runner: 'junit', full: expect.stringContaining('--output-junit {report}') as never },
  ],
  ['make check', { makefile: 'check: all\n\t./t\n' }, { runner: 'command', full: 'make check' }],
  ['a script that says that it tests', { 'scripts/test.sh': 'exit 0\n' }, { full: 'bash scripts/test.sh' }],
];

describe('ways of testing', () => {
  it.each(ROWS)('%s', async (_, repo, expected) => {
    const found = await detectProject('/somewhere/repo', {
      listFiles: async () => Object.keys(repo),
      readFile: async path => repo[path] ?? null,
    });
    expect(found).toMatchObject(expected);
  });
});
