import { ENV_SETTINGS } from '../src/config/env-settings.ts';
import { ALIASES } from '../src/config/explain/aliases.ts';
import { describeExpected } from '../src/config/explain/describe-issue.ts';
import { getJsonSchema, getSettings, type SettingNode } from '../src/config/explain/json-schema.ts';
import { LATER } from '../src/config/notices.ts';
import { getProofJsonSchema } from '../src/core/proof/proof-schema.ts';

/** The files made from schemas, by path; a test holds the committed ones to these. */
export function getGeneratedFiles(): Readonly<Record<string, string>> {
  return {
    'schema/harness.schema.json': `${JSON.stringify(getJsonSchema(), null, 2)}\n`,
    'schema/proof.schema.json': `${JSON.stringify(getProofJsonSchema(), null, 2)}\n`,
    'docs/config.md': getConfigDocs(),
  };
}

/** Those of parts that are not built, as a run says at its start. */
const RESERVED = LATER.map(([field]) => field);

const INTRO = `# Configuration

<!-- Generated from src/config by scripts/config-docs.ts. Edit the descriptions there. -->

A project has one configuration file at its root: \`.harness.yaml\` (or \`.harness.yml\`),
\`harness.config.json\` or \`harness.config.ts\`. All of them hold the same settings; two at once are an error.
\`harness init\` writes a first file for an existing repository.

\`\`\`yaml
project:
  name: shop

agent:
  provider: command
  command: ./agent.sh

environment:
  install: npm ci

testing:
  full: npx vitest run

quality:
  lint_command: npx eslint .

costs:
  per_session_usd: 5
\`\`\`

- **Environment variables.** \`\${NAME}\` in any text is replaced by that variable; a variable that is not set is
  an error. \`\${NAME:-default}\` has a default, and \`$\${\` is a literal \`\${\`, for the shell to expand. Anything else
  with a dollar sign is left alone.
- **Mistakes.** Unknown settings, wrong types and values out of range are errors, all reported at once, each with
  its place and a remedy. An empty section means its defaults.
- **Editors.** The JSON Schema is \`schema/harness.schema.json\` in the package. In YAML, a first line
  \`# yaml-language-server: $schema=…\` points to it; in JSON, a \`$schema\` key does.
- **Paths** are relative to the root of the project.
- **No agent, no run.** A file that names no agent can be looked at; whatever would start one refuses first (exit 2).
- **Refused.** What other harnesses let people set and this one does not do is an error with the reason:
  \`verification.harness_verify\` and \`regression_check\` switched off, more than one feature per session, no files,
  no shell for an agent that cannot be kept from it, \`github.on_sync_failure: fail\`.
- **Ahead of their time.** ${RESERVED.map(name => `\`${name}\``).join(', ')}
  are checked like all others and do nothing yet; where one is set, every run says so at its start, and so does \`harness doctor\`.
- **Every setting** changes something that can be seen, is refused, or is said to do nothing yet:
  \`npm run config-wired\` runs two small projects that differ in it alone, for each.
`;

function getConfigDocs(): string {
  const sections = Object.entries(getSettings().properties ?? {});
  const contents = sections.map(([name, node]) => `- [\`${name}\`](#${name}): ${node.description ?? ''}`);
  const tables = sections.map(([name, node]) => getSectionDocs(name, node));
  return `${[INTRO, getFirstDocs(), '## Sections\n', ...contents, '', ...tables, getAliasDocs()].join('\n')}`;
}

/** Most projects set no others. */
const FIRST = [
  ...['agent.provider', 'agent.command', 'environment.install', 'testing.full', 'testing.runner'],
  ...['testing.feature', 'verification.tests', 'costs.total_project_usd'],
];

function getFirstDocs(): string {
  const rows = Object.entries(getSettings().properties ?? {}).flatMap(([name, node]) =>
    getRows(node, `${name}.`),
  );
  return [
    '## The eight that matter\n',
    'All others have defaults that most projects keep.\n',
    '| Setting | Takes | Default | Meaning |',
    '|---|---|---|---|',
    ...FIRST.flatMap(path => rows.filter(row => row.startsWith(`| \`${path}\` |`))),
    '',
  ].join('\n');
}

function getSectionDocs(name: string, section: SettingNode): string {
  return [
    `## \`${name}\`\n`,
    `${section.description ?? ''}\n`,
    '| Setting | Takes | Default | Meaning |',
    '|---|---|---|---|',
    ...getRows(section, ''),
    '',
  ].join('\n');
}

function getRows(section: SettingNode, prefix: string): readonly string[] {
  return Object.entries(section.properties ?? {}).flatMap(([key, node]) => {
    const path = `${prefix}${key}`;
    if (node.properties) return getRows(node, `${path}.`);
    const isRequired = section.required?.includes(key) ?? false;
    const row = `| \`${path}\` | ${getType(node)} | ${getDefault(node, isRequired)} | ${node.description ?? ''} |`;
    const entry = typeof node.additionalProperties === 'object' ? node.additionalProperties : null;
    return [row, ...(entry?.properties ? getRows(entry, `${path}.<name>.`) : [])];
  });
}

function getType(node: SettingNode): string {
  if (node.enum) {
    return node.enum
      .filter(choice => choice !== null)
      .map(choice => `\`${choice}\``)
      .join(', ');
  }
  if (typeof node.additionalProperties === 'object') return 'a section by name';
  return describeExpected(node).replace('a non-empty text', 'text');
}

function getDefault(node: SettingNode, isRequired: boolean): string {
  if (isRequired) return 'required';
  if (node.default === null || node.default === undefined) return 'none';
  return `\`${JSON.stringify(node.default)}\``;
}

function getAliasDocs(): string {
  const rows = ALIASES.map(([alias, setting]) => `| \`${alias}\` | \`${setting}\` |`);
  return [
    '## Other names\n',
    'These spellings mean the same settings, in any of the files. Setting both is an error.\n',
    '| Name | Setting |',
    '|---|---|',
    ...rows,
    '',
    'Variables of the environment win over the file, for one run or one machine.\n',
    '| Variable | Setting |',
    '|---|---|',
    ...ENV_SETTINGS.map(([name, setting]) => `| \`${name}\` | \`${setting}\` |`),
    '',
  ].join('\n');
}
