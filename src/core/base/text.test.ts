import { expect, it } from 'vitest';
import { getUsefulLine } from './text.ts';

it.each([
  [
    'npm warn config unknown\nnpm error code ECONNREFUSED\nnpm error syscall connect\nnpm error FetchError: request failed, reason: connect ECONNREFUSED 127.0.0.1:9\n',
    'npm error FetchError: request failed, reason: connect ECONNREFUSED 127.0.0.1:9',
  ],
  [
    'npm warn ERESOLVE overriding peer dependency\nnpm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error\n',
    'npm error ERESOLVE could not resolve',
  ],
  ['/usr/bin/python3: No module named pytest\n', '/usr/bin/python3: No module named pytest'],
  ['> shop@1.0.0 test\n> moccha\n\nsh: 1: moccha: not found\n', 'sh: 1: moccha: not found'],
  [
    'Traceback (most recent call last):\n  File "a.py", line 1\nModuleNotFoundError: No module named \'x\'\n',
    "ModuleNotFoundError: No module named 'x'",
  ],
  ['\u001b[0m[INFO] BUILD FAILURE\n[ERROR] Plugin x could not be had\n', '[ERROR] Plugin x could not be had'],
  ['one\ntwo\n', 'two'],
  ['\n', 'it said nothing'],
])('tells %j in one line', (output, line) => {
  expect(getUsefulLine(output)).toBe(line);
});

it('cuts what is too long to be read', () => {
  expect(getUsefulLine(`error ${'x'.repeat(500)}`)).toHaveLength(201);
});
