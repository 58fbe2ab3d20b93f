import assert from 'node:assert/strict';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const TASKS: readonly Feature[] = [1, 2].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
}));

/** A script of that name is run at every start, without a setting. */
export const INIT_SCRIPT: readonly Row[] = [
  {
    id: 'A14.1',
    asked: 'harness-init.sh in the root is run at every session start',
    command: 'harness run --all with a committed harness-init.sh and no environment.init',
    seen: 'it ran once for each task, and the log says PASS',
    async show(stage) {
      const place = stage.folder();
      const project = stage.project({
        'features.json': getBacklog(TASKS),
        '.harness.yaml': `${CONFIG}sandbox: { writable: ["${place.dir}"] }\n`,
        'harness-init.sh': `#!/bin/bash\nset -e\necho ran >> ${place.dir}/ran\n`,
      });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.equal(place.read('ran'), 'ran\nran\n');
      assert.match(project.log(), /\[SESSION-1\] INIT Environment health check: PASS/);
    },
  },
  {
    id: 'A14.2',
    asked: 'it fails: ENV_SETUP, and stop',
    command: 'harness run --all with a harness-init.sh that fails',
    seen: 'exit 1, an ERROR line, no session',
    async show(stage) {
      const project = stage.project({ 'harness-init.sh': 'echo no database; exit 1\n' });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 1, text);
      assert.match(project.log(), /ERROR \[1\] \[ENV_SETUP\] init: .*no database/);
      const { out } = await project.harness('log', '--type', 'session.started', '--json');
      assert.equal(out.trim(), '');
    },
  },
  {
    id: 'A14.3',
    asked: 'without one, nothing is said of a health check',
    command: 'harness run',
    seen: 'no "health check: PASS" in the log',
    async show(stage) {
      const project = stage.project();
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.doesNotMatch(project.log(), /health check: PASS/);
    },
  },
];
