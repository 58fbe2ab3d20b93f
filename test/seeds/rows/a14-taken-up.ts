import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../behaviour.ts';

const EXAMPLE = readFileSync(
  join(process.cwd(), 'test', 'fixtures', 'coming-from', 'harness-init.sh'),
  'utf8',
);

/** Scripts of the environment that were there before. */
export const TAKEN_UP: readonly Row[] = [
  {
    id: 'A14.10',
    asked: 'harness-init.sh is taken up by init',
    command: 'harness init beside harness-init.sh and reset.sh',
    seen: 'environment.init and environment.reset in .harness.yaml, and the script in the git add',
    async show(stage) {
      const project = stage.repository({ 'harness-init.sh': EXAMPLE, 'reset.sh': '#!/bin/sh\nexit 0\n' });
      const { out } = await project.harness('init', '--no-run');
      assert.match(out, /took up harness-init\.sh: environment\.init/);
      assert.match(out, /git add .*harness-init\.sh reset\.sh/);
      assert.match(project.read('.harness.yaml'), /^ {2}init: \.\/harness-init\.sh$/m);
      assert.match(project.read('.harness.yaml'), /^ {2}reset: \.\/reset\.sh$/m);
    },
  },
  {
    id: 'A14.11',
    asked: 'one that nobody made executable is read by its shell',
    command: 'harness init beside init.sh without the executable bit',
    seen: 'init: bash init.sh',
    async show(stage) {
      const project = stage.repository();
      await project.sh("printf '#!/usr/bin/env bash\\nexit 0\\n' > init.sh");
      await project.harness('init', '--no-run');
      assert.match(project.read('.harness.yaml'), /^ {2}init: bash init\.sh$/m);
    },
  },
];
