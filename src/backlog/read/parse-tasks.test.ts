import { describe, expect, it } from 'vitest';
import { HarnessError } from '../../core/base/failure.ts';
import { getBacklogCodec } from '../codec.ts';
import type { BacklogOptions } from './options.ts';

const feature = (fields: object = {}) => ({ id: 1, description: 'Adds', test_file: 'a.test.ts', ...fields });
const file = (...features: unknown[]) => JSON.stringify({ project: 'demo', features });
const parse = (text: string, options: Partial<BacklogOptions> = {}) =>
  getBacklogCodec('features.json', options).parse(text);

function getError(text: string, options: Partial<BacklogOptions> = {}): HarnessError {
  try {
    parse(text, options);
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('a good features.json', () => {
  it('gives every field its place in the task', () => {
    const text = file(
      feature({
        category: 'math',
        priority: 'P0',
        validation: { command: 'npm run e2e', timeout_seconds: 60 },
        verification_steps: ['one', 'two'],
        verification_type: 'hybrid',
        may_change: ['*.json'],
        size_estimate: 'small',
        max_attempts: 5,
        passes: true,
      }),
      feature({ id: 'two', depends_on: [1, '1'], test_file: './b//c.test.ts', validation: 'make check' }),
    );
    expect(parse(text)).toEqual({
      project: 'demo',
      warnings: [],
      tasks: [
        {
          passes: true,
          def: {
            id: '1',
            title: 'Adds',
            category: 'math',
            priority: 0,
            dependsOn: [],
            testFile: 'a.test.ts',
            validation: { command: 'npm run e2e', timeoutSeconds: 60 },
            verificationSteps: ['one', 'two'],
            verificationType: 'hybrid',
            manualChecks: [],
            visual: null,
            mayChange: ['*.json'],
            size: 'small',
            maxAttempts: 5,
          },
        },
        {
          passes: false,
          def: {
            id: 'two',
            title: 'Adds',
            category: null,
            priority: 2,
            dependsOn: ['1'],
            testFile: 'b/c.test.ts',
            validation: { command: 'make check', timeoutSeconds: 300 },
            verificationSteps: [],
            verificationType: 'automated',
            manualChecks: [],
            visual: null,
            mayChange: [],
            size: null,
            maxAttempts: 3,
          },
        },
      ],
    });
  });

  it('may start with a byte order mark, and may need no test file', () => {
    expect(parse(`\uFEFF${file(feature())}`).tasks).toHaveLength(1);
    const bare = feature({ test_file: undefined });
    expect(parse(file(bare), { requireTestFile: false }).tasks[0]?.def.testFile).toBeNull();
    expect(parse(file({ ...bare, validation: 'make' })).tasks[0]?.def.testFile).toBeNull();
  });

  it('warns of unknown fields and of tasks with too many steps, and goes on', () => {
    const steps = Array.from({ length: 8 }, (_, i) => `step ${i}`);
    const text = JSON.stringify({
      projct: 'x',
      features: [feature({ testfile: 'x', verification_steps: steps })],
    });
    expect(parse(text).warnings).toEqual([
      'features.json: projct is not a known field; did you mean project?',
      'features.json: features[0].testfile is not a known field; did you mean test_file?',
      'features.json: feature 1 has 8 verification steps, more than 7: split it by capability',
    ]);
    expect(parse(file(feature({ verification_steps: steps })), { maxVerificationSteps: 8 }).warnings).toEqual(
      [],
    );
  });

  it('may be large', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      feature({ id: i, depends_on: i > 0 ? [i - 1] : [] }),
    );
    expect(parse(file(...many)).tasks).toHaveLength(10_000);
  });
});

describe('a bad features.json names the field and the remedy', () => {
  it.each<[string, string, string, string]>([
    ['an empty file', '', '', 'line 1, column 1 ends too early: a value was expected'],
    [
      'a comma too many',
      '{\n "features": [],\n}',
      '',
      'line 3, column 1 has a comma before a closing bracket',
    ],
    ['a comment', '{ // x', '', 'holds a comment'],
    ['a merge left open', '{\n<<<<<<< HEAD\n', '', 'line 2, column 1 holds the marks of an unresolved merge'],
    ['single quotes', `{'a': 1}`, '', 'has "\'" where a key in double quotes was expected'],
    ['an open string', '{"a": "b\n}', '', 'line 1, column 7 has a string that is not closed on its line'],
    ['a bad escape', '{"a": "\\x"}', '', 'bad escape'],
    ['a missing comma', '[1 2]', '', 'column 4 has "2" where a comma or ] was expected'],
    ['a missing colon', '{"a" 1}', '', 'a colon was expected'],
    ['a bad number', '[01]', '', 'has "0" where a value was expected'],
    ['two values', '{} {}', '', 'has more text after its end'],
    ['a list', '[]', '', 'must be an object, but is a list'],
    ['null', 'null', '', 'must be an object, but is null'],
    ['no features', '{}', 'features', 'is missing'],
    ['features of another type', '{"features": {}}', 'features', 'must be a list'],
    ['a project of another type', '{"project": 1, "features": []}', 'project', 'must be text'],
    ['a feature of another type', file('x'), 'features[0]', 'must be an object'],
    ['no id', file(feature({ id: undefined })), 'features[0].id', 'is missing'],
    [
      'a broken number as id',
      file(feature({ id: 1.5 })),
      'features[0].id',
      'must be a whole number or a name',
    ],
    ['a blank id', file(feature({ id: ' ' })), 'features[0].id', 'must be a whole number or a name'],
    [
      '1 and "1"',
      file(feature(), feature({ id: '1' })),
      'features[1].id',
      'is 1, which features[0] has already',
    ],
    ['no description', file(feature({ description: ' ' })), 'features[0].description', 'is missing or empty'],
    [
      'a description of another type',
      file(feature({ description: 1 })),
      'features[0].description',
      'must be text',
    ],
    ['no test file', file(feature({ test_file: undefined })), 'features[0].test_file', 'is missing'],
    [
      'an absolute test file',
      file(feature({ test_file: '/etc/a' })),
      'features[0].test_file',
      'inside the repository',
    ],
    [
      'a test file outside',
      file(feature({ test_file: 'a/../../b' })),
      'features[0].test_file',
      'inside the repository',
    ],
    [
      'a test file on a drive',
      file(feature({ test_file: 'C:\\a' })),
      'features[0].test_file',
      'inside the repository',
    ],
    ['passes as text', file(feature({ passes: 'yes' })), 'features[0].passes', 'must be true or false'],
    [
      'depends_on as text',
      file(feature({ depends_on: '1' })),
      'features[0].depends_on',
      'must be a list of ids',
    ],
    [
      'a missing dependency',
      file(feature({ depends_on: [9] })),
      'features[0].depends_on',
      'names 9, but no feature',
    ],
    [
      'an xlarge feature',
      file(feature({ size_estimate: 'xlarge' })),
      'features[0].size_estimate',
      'is "xlarge"',
    ],
    ['a bad size', file(feature({ size_estimate: 'tiny' })), 'features[0].size_estimate', 'cannot be "tiny"'],
    ['a bad priority', file(feature({ priority: 'high' })), 'features[0].priority', 'cannot be "high"'],
    ['a broken priority', file(feature({ priority: 1.5 })), 'features[0].priority', 'cannot be 1.5'],
    [
      'a bad type',
      file(feature({ verification_type: 'auto' })),
      'features[0].verification_type',
      'cannot be "auto"',
    ],
    ['bad globs', file(feature({ may_change: [1] })), 'features[0].may_change', 'must be a list of texts'],
    [
      'bad steps',
      file(feature({ verification_steps: 'x' })),
      'features[0].verification_steps',
      'a list of texts',
    ],
    ['no command', file(feature({ validation: {} })), 'features[0].validation', 'must hold a command'],
    [
      'no time',
      file(feature({ validation: { command: 'a', timeout_seconds: 0 } })),
      'features[0].validation.timeout_seconds',
      'seconds',
    ],
    [
      'no attempts',
      file(feature({ max_attempts: 0 })),
      'features[0].max_attempts',
      'must be a whole number from 1',
    ],
  ])('%s', (_, text, field, message) => {
    const error = getError(text);
    expect(error.code).toBe('backlog');
    expect(error.message).toContain(message);
    expect(error.details.file).toBe('features.json');
    expect(error.details.field ?? '').toBe(field);
    expect(error.details.fix).toMatch(/\w.*[.?]$/);
  });

  it('lists every problem, and leaves a cycle to whoever asks about it', () => {
    const error = getError(
      file(
        feature({ depends_on: [3] }),
        feature({ id: 2, passes: 1 }),
        feature({ id: 3, depends_on: [1], priority: -1 }),
      ),
    );
    expect(error.message.split('\n')).toEqual([
      'features.json has 2 problems:',
      '  features[1].passes must be true or false',
      '  features[2].priority cannot be -1',
    ]);
    expect(error.details.fix?.split('\n')).toHaveLength(2);
  });

  it.each([null, '', ' '])('takes the command %j for one that is still to be written', command => {
    const [task] = parse(file(feature({ validation: { command } }))).tasks;
    expect(task?.def.validation).toBeNull();
  });

  it('advises to split what is too large', () => {
    expect(getError(file(feature({ size_estimate: 'xlarge' }))).details.fix).toMatch(/^Split the feature/);
  });

  it('is refused by its name when the format is unknown', () => {
    expect(() => getBacklogCodec('plan.txt')).toThrow(/an unknown format/);
  });
});
