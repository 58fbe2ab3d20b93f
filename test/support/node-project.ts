import { type Feature, getBacklog } from './sample-project.ts';

const CONFIG = `project: { name: shop }
testing: { runner: node, full: node --test, feature: "node --test {file}" }
verification: { require_evidence: false }
agent: { provider: scripted, script: agent.yaml }
`;

/** Three tasks, each with a test of its own; the third builds on the first. */
const FEATURES: readonly Feature[] = [1, 2, 3].map(id => ({
  id,
  description: `Number ${id} is known`,
  test_file: `test/${id}.test.mjs`,
  ...(id === 3 ? { depends_on: [1] } : {}),
  passes: false,
}));

const DO_ALL = `tasks:
${[1, 2, 3].map(id => `  "${id}": [{ edit: { file: src/${id}.mjs, content: "export const n = ${id};\\n" } }, { claim: Number ${id} is exported }]`).join('\n')}
`;

export interface NodeProject {
  readonly config?: string;
  readonly agent?: string;
  readonly features?: readonly Feature[];
}

/** A project whose suite names its tests one by one; its agent does every task. One test is green before any work. */
export function getNodeFiles({ config = '', agent = DO_ALL, features = FEATURES }: NodeProject = {}) {
  return {
    '.harness.yaml': `${CONFIG}${config}`,
    'features.json': getBacklog(features).replace('sample', 'shop'),
    'agent.yaml': agent,
    'src/old.mjs': 'export const n = 0;\n',
    'test/old.test.mjs': getTest('old', 0),
    ...Object.fromEntries(features.map(({ id }) => [`test/${id}.test.mjs`, getTest(String(id), Number(id))])),
  };
}

function getTest(name: string, n: number): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('number ${name}', async () => assert.equal((await import('../src/${name}.mjs')).n, ${n}));
`;
}
