import type { EnvironmentNeed } from './environment.ts';
import type { GatePage } from './gate-page.ts';
import type { JudgedCriterion, TriedProduct } from './release.ts';

/** All that a release rests on. */
export interface ReleaseFacts {
  readonly ready: boolean;
  readonly commit: string;
  readonly criteria: readonly JudgedCriterion[];
  readonly environment: readonly EnvironmentNeed[];
  readonly product: TriedProduct;
  readonly knownIssues: readonly string[];
}

/** One line of what was found. */
export function getReleaseSummary({ ready, criteria, environment, product, commit }: ReleaseFacts): string {
  if (ready) return `ready at ${commit.slice(0, 10)}: ${criteria.length} of ${criteria.length} criteria`;
  const open = criteria.filter(({ ok }) => !ok).map(({ tag, status }) => `${tag} ${status}`);
  const unset = environment.filter(({ status }) => status === 'missing').map(({ name }) => `${name} missing`);
  const broken =
    product.status === 'failed' ? [`the product: ${product.steps.find(({ ok }) => !ok)?.what}`] : [];
  return `not ready: ${[...open, ...unset, ...broken].join(', ')}`;
}

/** The report for people. */
export function getReleasePage(spec: string, facts: ReleaseFacts): GatePage {
  const { criteria, environment, product, knownIssues, commit } = facts;
  return {
    title: `Release by ${spec}`,
    lead: [getReleaseSummary(facts), `At commit ${commit}.`],
    tables: [
      {
        title: 'Criteria',
        heads: ['Criterion', 'Status', 'Why', 'Tasks', 'Tests', 'Needs'],
        rows: criteria.map(one => [
          `${one.tag} (line ${one.line}): ${one.text}`,
          ...[one.status, one.why, one.tasks.join(', ')],
          one.tests.map(({ path, status }) => `${path} ${status}`).join(', '),
          one.connections.join(', '),
        ]),
      },
      {
        title: 'Environment',
        heads: ['Variable', 'Status'],
        rows: environment.map(({ name, status }) => [name, status]),
      },
      {
        title: 'The product, installed in an empty place',
        heads: ['Step', 'Result', 'Detail'],
        rows: product.steps.map(({ what, ok, detail }) => [what, ok ? 'done' : 'failed', detail]),
      },
      { title: 'Known issues', heads: ['What'], rows: knownIssues.map(what => [what]) },
    ],
  };
}
