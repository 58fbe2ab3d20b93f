import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { getBacklog, makeProject, runCli } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const TEST = `const { test } = require('node:test');
const { add } = require('../src/m.js');
test('adds', () => require('node:assert').equal(add(1, 2), 3));
`;

/** Rejected the first time, but its code has run in the tree that judges; the second time it uses what it left. */
const AGENT = `mkdir -p src
if [ "$HARNESS_ATTEMPT" = 1 ]; then cat > src/m.js <<'END'
const fs = require('fs');
fs.mkdirSync('node_modules/impl', { recursive: true });
fs.writeFileSync('node_modules/impl/index.js', 'exports.add = (a, b) => a + b;');
exports.add = () => 0;
END
else echo "module.exports = require('impl');" > src/m.js; fi
`;

function makePoisoned(install: string): string {
  return makeProject({
    '.harness.yaml': `project: { name: sample }
environment: { ${install} }
testing: { runner: node, full: node --test test/, feature: 'node --test {file}' }
agent: { provider: command, command: sh ./agent.sh }
attempts: { max_attempts: 2 }
`,
    'features.json': getBacklog([{ id: 1, description: 'Adds', test_file: 'test/m.test.js', passes: false }]),
    'agent.sh': AGENT,
    'test/m.test.js': TEST,
    '.gitignore': 'node_modules/\n',
    'package-lock.json': '{}\n',
  });
}

describe('a tree that judges', () => {
  it.each([
    ['without an install', ''],
    [
      'with installed dependencies',
      'install: "mkdir -p node_modules/real && touch node_modules/real/index.js"',
    ],
  ])('is not what an earlier candidate made of it, %s', async (_, install) => {
    const dir = makePoisoned(install);
    const { code, stderr } = await runCli(dir, ['run', '--all']);
    expect(code, stderr).toBe(EXIT_CODES.human);
    expect(git(dir, 'log', '--format=%s').trim().split('\n')).toHaveLength(1);
  });
});
