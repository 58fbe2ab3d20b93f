import { describe, expect, it } from 'vitest';
import type { RunnerKind } from '../model/testing.ts';
import { NODE_REPORTER_URL } from '../runners/node.ts';
import { getReportCommand } from './runners.ts';

const VITEST = '--reporter=default --reporter=json --outputFile.json=/r';
const OWN = `--test-reporter='${NODE_REPORTER_URL}' --test-reporter-destination=/r`;
const SPEC = '--test-reporter=spec --test-reporter-destination=stdout';
const PYTEST = '--junitxml=/r -o junit_family=xunit1 --continue-on-collection-errors -p no:cacheprovider';

describe('getReportCommand', () => {
  it.each<[RunnerKind, string, string]>([
    ['vitest', 'npx vitest run', `npx vitest run ${VITEST}`],
    ['vitest', 'npm test', `npm test -- ${VITEST}`],
    ['vitest', 'npm run unit -- --coverage', `npm run unit -- --coverage ${VITEST}`],
    ['vitest', 'pnpm test', `pnpm test -- ${VITEST}`],
    ['vitest', 'pnpm unit', `pnpm unit ${VITEST}`],
    ['vitest', 'yarn unit', `yarn unit ${VITEST}`],
    ['vitest', 'npm run build && npm test', `npm run build && npm test -- ${VITEST}`],
    [
      'vitest',
      '(cd web && npx vitest run) && echo done',
      `(cd web && npx vitest run ${VITEST}) && echo done`,
    ],
    ['vitest', 'CI=1 npm test # all', `CI=1 npm test -- ${VITEST} # all`],
    ['vitest', 'make test', 'make test'],
    ['jest', 'npx jest', 'npx jest --json --outputFile=/r --ci'],
    ['mocha', 'npx mocha test', 'npx mocha test --reporter /r.reporter.cjs'],
    ['mocha', 'mocha -R spec a.js', 'mocha a.js --reporter /r.reporter.cjs'],
    ['mocha', 'mocha --reporter=dot', 'mocha --reporter /r.reporter.cjs'],
    ['pytest', 'poetry run pytest -q', `poetry run pytest -q ${PYTEST}`],
    ['pytest', 'pytest --lf', `pytest --lf ${PYTEST.replace(' -p no:cacheprovider', '')}`],
    ['node', 'node --test test/', `node --test ${OWN} ${SPEC} test/`],
    [
      'node',
      'node --test-reporter=dot --test',
      `node --test-reporter=dot --test ${OWN} --test-reporter-destination=stdout`,
    ],
    ['go', 'go test ./...', '{ go test -json ./...\n} > /r 2>&1'],
    ['go', 'go test -json ./...', '{ go test -json ./...\n} > /r 2>&1'],
    ['cargo', 'cargo test -- --nocapture', '{ cargo test --no-fail-fast -- --nocapture\n} > /r 2>&1'],
    ['cargo', 'cargo nextest run', '{ cargo nextest run --no-fail-fast\n} > /r 2>&1'],
    ['tap', './run.sh', '{ ./run.sh\n} > /r'],
    ['tap', 'run --out {report}', 'run --out /r'],
    ['junit', 'run --xml "{report}"', 'run --xml /r'],
    ['junit', 'make test', 'make test'],
    ['command', 'make test', 'make test'],
  ])('%s: %s', (runner, command, expected) => {
    expect(getReportCommand(runner, command, '/r').command).toBe(expected);
  });

  it('quotes the place of the report', () => {
    expect(getReportCommand('jest', 'jest', "/it's here/r").command).toBe(
      "jest --json --outputFile='/it'\\''s here/r' --ci",
    );
  });

  it('reaches node and pytest through the environment where a script hides them', () => {
    const node = getReportCommand('node', 'npm test', '/r');
    expect(node.command).toBe('npm test');
    expect(node.env.NODE_OPTIONS).toBe(`${SPEC} ${OWN.replaceAll("'", '')}`);
    expect(getReportCommand('pytest', 'make test', '/r').env.PYTEST_ADDOPTS).toBe(PYTEST);
  });

  it('says where the report is to be had', () => {
    const from = (runner: RunnerKind) => getReportCommand(runner, 'x', '/r').from;
    expect([from('vitest'), from('go'), from('command')]).toEqual(['file', 'stdout', 'exit-code']);
  });
});
