/** A project of a few lines that takes milliseconds to test, as plain text: for tests and for programs of their own. */
export const CONFIG = `project: { name: sample }
testing:
  runner: command
  full: sh test/all.sh
  feature: sh {file}
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
`;

export interface Feature {
  readonly id: number | string;
  readonly description: string;
  readonly test_file?: string;
  readonly depends_on?: readonly (number | string)[];
  readonly passes?: boolean;
  readonly [more: string]: unknown;
}

/** Three tasks in a row; each wants a file of its number in src. */
export const FEATURES: readonly Feature[] = [1, 2, 3].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  ...(id > 1 ? { depends_on: [id - 1] } : {}),
  passes: false,
}));

export function getBacklog(features: readonly Feature[] = FEATURES): string {
  return `${JSON.stringify({ project: 'sample', features }, null, 2)}\n`;
}

const AGENT = `tasks:
${[1, 2].map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: "${id}\\n" } }, { claim: done }]`).join('\n')}
  "3": [{ lie: done }]
`;

/** Its files: three tasks, of which its agent does 1 and 2 and lies about 3. */
export function getSampleFiles(): Record<string, string> {
  const tests = [1, 2, 3].map(id => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`]);
  return {
    '.harness.yaml': CONFIG,
    'features.json': getBacklog(),
    'agent.yaml': AGENT,
    'test/all.sh': 'exit 0\n',
    ...Object.fromEntries(tests),
  };
}
