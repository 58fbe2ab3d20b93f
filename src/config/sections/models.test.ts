import { describe, expect, it } from 'vitest';
import { parseConfig } from '../load.ts';
import { getModels } from './models.ts';

function read(text: string) {
  return getModels(parseConfig(`project: { name: shop }\n${text}`, '.harness.yaml', {}));
}

describe('the models of a project', () => {
  it('are Claude’s where the agent is Claude, a cheaper one for tidying and summing up', () => {
    const models = read('agent: { provider: claude }');
    expect(models.coding).toEqual({ provider: 'claude', model: 'claude-sonnet-4', effort: null });
    expect(models.cleanup.model).toBe('claude-haiku-3');
    expect(models.summariser.model).toBe('claude-haiku-3');
  });

  it('are left to other agents, unless they are named', () => {
    const models = read('agent: { provider: codex }\nmodels: { continuation: gpt-6 }');
    expect(models.coding).toEqual({ provider: 'codex', model: null, effort: null });
    expect(models.cleanup.model).toBeNull();
    expect(models.continuation.model).toBe('gpt-6');
  });

  it('can be told by role: agent, model and effort', () => {
    const models = read(`agent: { provider: claude }
models:
  default: { model: claude-opus-4-5, effort: high }
  review: { provider: codex, model: gpt-6, effort: xhigh }
  test_author: { provider: codex }
  coding: claude-haiku-4-5
`);
    expect(models.coding).toEqual({ provider: 'claude', model: 'claude-haiku-4-5', effort: 'high' });
    expect(models.planner).toEqual({ provider: 'claude', model: 'claude-opus-4-5', effort: 'high' });
    expect(models.review).toEqual({ provider: 'codex', model: 'gpt-6', effort: 'xhigh' });
    expect(models['test-author']).toEqual({ provider: 'codex', model: null, effort: null });
  });

  it('keep a Claude model that was chosen for an agent of another kind', () => {
    const models = read(
      'agent: { provider: acp, command: claude-agent-acp }\nmodels: { coding: claude-opus-4-5 }',
    );
    expect(models.coding.model).toBe('claude-opus-4-5');
  });
});
