import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getShellQuoted } from '../base/shell-quoted.ts';
import type { RunnerKind } from '../model/testing.ts';
import { getCommands } from '../shell/command-line.ts';
import {
  getFeatureCommand,
  getFilesCommand,
  getFirstFolder,
  getUnlaunched,
  splitBuild,
} from './test-command.ts';

const testing = (runner: RunnerKind, full: string | null, feature: string | null = null) => ({
  runner,
  full,
  feature,
  reportPath: null,
});

describe('getFilesCommand', () => {
  it.each<[RunnerKind, string, string | null, string | null]>([
    ['vitest', 'npx vitest run src', null, "npx vitest run a.test.ts 'b c.test.ts'"],
    ['jest', 'npx jest', null, "npx jest --runTestsByPath a.test.ts 'b c.test.ts'"],
    ['node', 'node --test', 'node --test "{file}"', "node --test a.test.ts 'b c.test.ts'"],
    ['pytest', 'pytest', null, "pytest a.test.ts 'b c.test.ts'"],
    ['vitest', './all-tests', null, null],
    ['go', 'go test ./...', null, null],
    ['command', 'sh all.sh', 'sh {file}', null],
  ])('%s: %s (%s)', (runner, full, feature, expected) => {
    expect(getFilesCommand(testing(runner, full, feature), ['a.test.ts', 'b c.test.ts'])).toBe(expected);
  });
});

describe('getFeatureCommand', () => {
  it.each<[RunnerKind, string, string, string]>([
    ['vitest', 'npx vitest run', 'a b.test.ts', "npx vitest run 'a b.test.ts'"],
    ['vitest', 'npx vitest run src --pool threads', 'a.test.ts', 'npx vitest run --pool threads a.test.ts'],
    ['vitest', 'npm test', 'a.test.ts', 'npm test -- a.test.ts'],
    [
      'vitest',
      'npm run build && npm run test:unit -- --coverage',
      'a.test.ts',
      'npm run build && npm run test:unit -- --coverage a.test.ts',
    ],
    ['vitest', 'pnpm test', 'a.test.ts', 'pnpm test -- a.test.ts'],
    ['vitest', 'pnpm run unit', 'a.test.ts', 'pnpm run unit a.test.ts'],
    ['vitest', 'yarn test', 'a.test.ts', 'yarn test a.test.ts'],
    ['jest', 'npx jest --ci src', '[id].test.js', "npx jest --ci --runTestsByPath '[id].test.js'"],
    ['mocha', 'mocha -r ts-node/register "test/**/*.ts"', 'test/a.ts', 'mocha -r ts-node/register test/a.ts'],
    ['node', 'node --import tsx --test "test/*.ts"', 'test/a.ts', 'node --import tsx --test test/a.ts'],
    ['node', 'node --test --import tsx test/', 'test/a.ts', 'node --test --import tsx test/a.ts'],
    ['pytest', 'poetry run pytest -v tests', 'tests/test_a.py', 'poetry run pytest -v tests/test_a.py'],
    [
      'pytest',
      'python -m pytest -k "not slow" tests > log 2>&1',
      't.py',
      'python -m pytest -k "not slow" > log 2>&1 t.py',
    ],
    ['go', 'go test -race ./...', 'pkg/sum/sum_test.go', 'go test -race ./pkg/sum'],
    ['go', 'go test ./... -args -seed 1', 'a_test.go', 'go test . -args -seed 1'],
    [
      'cargo',
      'cargo test --locked -- --nocapture',
      'tests/it.rs',
      'cargo test --test it --locked -- --nocapture',
    ],
    [
      'cargo',
      'cargo test',
      'crates/a/tests/it/main.rs',
      'cargo test --manifest-path crates/a/Cargo.toml --test it',
    ],
    ['cargo', 'cargo test', 'src/parser/mod.rs', 'cargo test --lib'],
    ['cargo', 'cargo nextest run', 'src/bin/tool.rs', 'cargo nextest run --bin tool'],
    ['command', './check.sh', 'a.sh', './check.sh'],
  ])('%s: %s, narrowed to %s', (runner, full, file, expected) => {
    expect(getFeatureCommand(testing(runner, full), file)).toBe(expected);
  });

  it('names the tests of a Go file by its text, and all that is beside it where the text does not tell', () => {
    const text = 'package a\n\nfunc TestA(t *testing.T) {}\nfunc ExampleB() {}\nfunc helper() {}\n';
    const go = { ...testing('go', 'go test ./...') };
    const named = "go test -run '^(TestA|ExampleB)$' ./pkg";
    expect(getFeatureCommand(go, 'pkg/a_test.go', text)).toBe(named);
    const suite = `${text}func (s *Suite) TestC() {}\n`;
    for (const other of [suite, 'package a\n', null])
      expect(getFeatureCommand(go, 'pkg/a_test.go', other)).toBe('go test ./pkg');
    const given = testing('go', 'go test -run Fast ./...');
    expect(getFeatureCommand(given, 'pkg/a_test.go', text)).toBe('go test -run Fast ./pkg');
  });

  it.each([
    ['npx ava --tap', 'npx ava --tap test.js'],
    ['ava --timeout 2m --tap test/**', 'ava --timeout 2m --tap test.js'],
    ['tape -r esm test/*.js', 'tape -r esm test.js'],
    ['npm test', 'npm test'],
    ['node test.js', 'node test.js'],
  ])('runs one file of %s where the runner is in sight', (full, command) => {
    expect(getFeatureCommand(testing('tap', full), 'test.js')).toBe(command);
  });

  it('names the file from the folder that the command goes to first', () => {
    const testing = {
      runner: 'node',
      full: 'cd packages/shop && node --test',
      feature: null,
      reportPath: null,
    } as const;
    expect(getFeatureCommand(testing, 'packages/shop/test/a.test.js')).toBe(
      'cd packages/shop && node --test test/a.test.js',
    );
    expect(getFeatureCommand(testing, 'test/a.test.js')).toBe(
      'cd packages/shop && node --test test/a.test.js',
    );
  });

  it('fills the configured template, quoted once', () => {
    expect(getFeatureCommand(testing('vitest', null, 'run {file}'), "it's.ts")).toBe("run 'it'\\''s.ts'");
    expect(getFeatureCommand(testing('vitest', null, 'run "{file}"'), 'a$&b.ts')).toBe("run 'a$&b.ts'");
  });

  it('has no command where the project has none', () => {
    expect(getFeatureCommand(testing('vitest', null), 'a.test.ts')).toBeNull();
  });
});

describe('getCommands', () => {
  const words = (line: string) => getCommands(line).map(command => command.map(word => word.value));

  it.each([
    ['a b && c | d; e', [['a', 'b'], ['c'], ['d'], ['e']]],
    [
      '(cd x && go test) # go test',
      [
        ['cd', 'x'],
        ['go', 'test'],
      ],
    ],
    [`a "b && c" 'd;e' f\\ g`, [['a', 'b && c', 'd;e', 'f g']]],
    ['a > log 2>&1 b', [['a', '>', 'log', '2>&1', 'b']]],
    ['a $(b; c) d', [['a', '$(b; c)', 'd']]],
  ])('%s', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  it('reads any quoted value back as the same one word', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), value => {
        fc.pre(!value.includes('\n'));
        const quoted = getShellQuoted(value);
        expect(getCommands(`run ${quoted}`)[0]?.length).toBe(2);
      }),
    );
  });

  it('ends on any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`ab'"\\$()&|;># \n\f`) }), line => void words(line)),
    );
  });
});

describe('a command that goes to a folder first', () => {
  const at = (full: string, feature: string | null = null) => ({
    runner: 'vitest' as const,
    full,
    feature,
    reportPath: null,
  });

  it('is given paths as they are seen from there', () => {
    expect(getFeatureCommand(at("cd 'my app' && npx vitest run"), 'my app/a.test.ts')).toBe(
      "cd 'my app' && npx vitest run a.test.ts",
    );
    expect(getFeatureCommand(at('x', 'cd ./web/ && vitest run {file}'), 'web/a.test.ts')).toBe(
      'cd ./web/ && vitest run a.test.ts',
    );
  });

  it.each(['cd .. && vitest', 'cd /tmp && vitest', 'cd "$HOME" && vitest', 'vitest && cd web'])(
    'is not %s',
    line => expect(getFirstFolder(line)).toBeNull(),
  );
});

describe('getUnlaunched', () => {
  const bin = 'PATH="$PWD/node_modules/.bin:$PATH" node_modules/.bin';
  it.each([
    ['npx mocha test', `${bin}/mocha test`],
    ['CI=1 npx mocha && npx eslint .', `CI=1 ${bin}/mocha && ${bin}/eslint .`],
    ['cd web && npx mocha', `cd web && ${bin}/mocha`],
    ['npx mocha@10', 'npx mocha@10'],
    ['npx --yes mocha', 'npx --yes mocha'],
    ['npx elsewhere', 'npx elsewhere'],
    ['nyc npx mocha', 'nyc npx mocha'],
    ['npx mocha; cd web && npx mocha', 'npx mocha; cd web && npx mocha'],
  ])('%s', (line, expected) => {
    const known = ['mocha', 'eslint'].flatMap(name =>
      ['', 'web/'].map(dir => `${dir}node_modules/.bin/${name}`),
    );
    expect(getUnlaunched(line, path => known.includes(path))).toBe(expected);
  });
});

it.each([
  ['npx bundt && npx tape a.js', 'npx bundt', 'npx tape a.js'],
  ['cd web && npm run build && CI=1 npx mocha', 'cd web && npm run build', 'cd web && CI=1 npx mocha'],
])('%s builds first', (line, build, tests) => expect(splitBuild(line)).toEqual({ build, tests }));

it.each(['npx mocha', 'cd web && npx mocha', 'a; b', 'mocha | tap-spec', '(a && b)'])(
  '%s builds nothing first',
  line => expect(splitBuild(line)).toBeNull(),
);
