import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { check } from '../../test/support/surface-case.ts';

const STRICT = '{ "a": 1 }\n';
const BASH = '#!/usr/bin/env bash\n';
const LOOSE = '{ // why\n "a": 1, }\n';

describe('syntax', () => {
  it.each<[string, string, Readonly<Record<string, string | null>>, Files?]>([
    [
      'JSON with a comma too many',
      'strict JSON',
      { 'data/x.json': '{ "a": 2, }\n' },
      { 'data/x.json': STRICT },
    ],
    ['JSON with comments', 'strict JSON', { 'data/x.json': LOOSE }, { 'data/x.json': STRICT }],
    ['a shell script', 'line 3', { 'ops/x.sh': 'if a; then\n  b\n' }, { 'ops/x.sh': 'a\n' }],
    ['a program for sh', 'ops/x', { 'ops/x': '#!/bin/sh\necho "a\n' }, { 'ops/x': '#!/bin/sh\necho a\n' }],
    ['a program for bash', 'ops/x', { 'ops/x': `${BASH}a() {\n` }, { 'ops/x': BASH }],
    ['new JSON that is loose', 'strict JSON', { 'data/x.json': LOOSE }, { 'tools/y.json': LOOSE }],
  ])('refuses %s', async (_, text, change, was) => {
    expect(await check(change, was)).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(text),
    });
  });

  it.each<[string, Readonly<Record<string, string | null>>, Files?]>([
    ['JSON that was loose', { 'data/x.json': '{ // because\n "a": 2, }\n' }, { 'data/x.json': LOOSE }],
    ['new JSON beside loose JSON', { 'data/x.json': LOOSE }, { 'data/y.json': LOOSE }],
    ['new JSON called like loose JSON', { 'b/.rc.json': LOOSE }, { 'a/.rc.json': LOOSE }],
    ['settings whose reader takes comments', { 'tsconfig.json': LOOSE, '.vscode/settings.json': LOOSE }],
    ['JSON that is mended by half', { 'data/x.json': LOOSE }, { 'data/x.json': '{ "a": 1,, }\n' }],
    [
      'shell scripts',
      {
        'ops/x.sh': `${BASH}set -euo pipefail\nfor a in "${'$'}{@:-.}"; do [[ $a =~ ^(b|c)$ ]] && x+=(1); done\ncat <<E | sed s/a/b/\n'\nE\n`,
        'ops/y.sh': 'case $1 in\n  (a|b) echo "$(c "d")" ;;\n  *) exit 1 ;;\nesac >/dev/null 2>&1\n',
      },
      { 'ops/x.sh': 'a\n' },
    ],
    ['what was no good shell before', { 'ops/x.sh': 'if b; then\n' }, { 'ops/x.sh': 'if a; then\n' }],
    ['other shells', { 'ops/x': '#!/bin/zsh\na() {\n', 'ops/y.sh': '#!/usr/bin/fish\nif a\n  b\nend\n' }],
    ['strict JSON', { 'data/x.json': '{ "a": [1, 2] }\n' }, { 'data/x.json': STRICT }],
  ])('takes %s', async (_, change, was) => {
    expect(await check(change, was)).toMatchObject({ status: expect.stringMatching(/passed|warned/) });
  });
});
