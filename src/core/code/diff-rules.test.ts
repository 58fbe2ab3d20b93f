import { expect, it } from 'vitest';
import { getBitProblem } from './diff-rules.ts';

const SCRIPT = '#!/bin/sh\necho\n';
const BROKEN = '#!/bin/sh\r\necho\r\n';

it.each([
  ['loses its first line', 'bin/up', SCRIPT, 'echo\n', '100755'],
  ['has something before it', 'bin/up', SCRIPT, `\ufeff${SCRIPT}`, '100755'],
  ['is told to run by a program that ends in a return', 'bin/up', SCRIPT, BROKEN, '100755'],
  ['is new and is told so', 'bin/up', null, BROKEN, '100755'],
])('names a program that %s', (_, path, before, text, mode) => {
  expect(getBitProblem({ path, mode, wasMode: before && mode, before, text })).not.toBeNull();
});

it.each([
  ['changes otherwise', 'bin/up', SCRIPT, `${SCRIPT}echo\n`, '100755'],
  ['is started by another', 'bin/up', SCRIPT, '#!/usr/bin/env bash\necho\n', '100755'],
  ['never had a first line', 'data/a', 'a', 'b', '100755'],
  ['had the return before', 'bin/up', BROKEN, `${BROKEN}echo\r\n`, '100755'],
  ['has returns further down', 'bin/up', SCRIPT, `${SCRIPT}echo\r\n`, '100755'],
  ['is none by its bit', 'src/a.js', SCRIPT, BROKEN, '100644'],
])('lets a program be that %s', (_, path, before, text, mode) => {
  expect(getBitProblem({ path, mode, wasMode: mode, before, text })).toBeNull();
});
