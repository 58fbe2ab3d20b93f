import { describe, expect, it } from 'vitest';
import { getRunnerLine } from './wrapped-command.ts';

const FILES = {
  packageJson: JSON.stringify({
    scripts: {
      test: 'npm run unit',
      unit: 'node --test spec/',
      pretty: 'prettier .',
      checked: 'vitest run',
      prechecked: 'tsc',
      again: 'npm run again',
    },
  }),
  makefile:
    'SHELL := sh\n\nall: lib\n\techo all\n\ntest: lib\n\t@node --test spec/\n\nunit:\n\tnpm test\n\nodd:\n\t$(NODE) --test\n',
};
const PATH = 'export PATH="$PWD/node_modules/.bin:$PATH" && ';

describe('the line that calls a runner', () => {
  it.each([
    ['node --test a.js', 'node --test a.js'],
    ['npm test', `${PATH}node --test spec/`],
    ['npm t', `${PATH}node --test spec/`],
    ['CI=1 npm run --silent unit', `${PATH}node --test spec/`],
    ['yarn checked', `${PATH}tsc && vitest run`],
    ['make test', 'node --test spec/'],
    ['make -s unit', `${PATH}node --test spec/`],
    ['npm ci && make test', 'node --test spec/'],
  ])('of %s is %s', (line, found) => {
    expect(getRunnerLine(line, FILES)).toBe(found);
  });

  it.each([
    'make',
    'make odd',
    'make gone',
    'npm run pretty',
    'npm run again',
    'npm run gone',
    'sh check.sh',
  ])('is not seen behind %s', line => {
    expect(getRunnerLine(line, FILES)).toBeNull();
  });

  it('is not seen without the file, or in one that is no JSON', () => {
    expect(getRunnerLine('npm test', { packageJson: null, makefile: null })).toBeNull();
    expect(getRunnerLine('npm test', { packageJson: '{', makefile: null })).toBeNull();
    expect(getRunnerLine('make test', { packageJson: null, makefile: null })).toBeNull();
  });
});
