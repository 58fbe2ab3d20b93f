import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeHalfDone } from '../../../test/support/half-done.ts';
import { DEFAULT_PROMPTS } from '../../prompts/default-prompts.ts';
import { PROMPT_NAMES } from '../model/policy.ts';
import { getBrief } from './brief.ts';
import { getPrompt, getTemplateProblem, PROMPT_MARK } from './prompt.ts';

describe('a prompt', () => {
  it.each(PROMPT_NAMES)('of kind %s begins with the same bytes for every task and session', name => {
    const state = makeHalfDone(50);
    const prefixes = new Set<string>();
    const prompts = new Set<string>();
    for (const task of state.tasks.values()) {
      for (let session = 25; session < 28; session++) {
        state.sessions = session;
        const prompt = getPrompt(simPolicy, name, getBrief(state, task, simPolicy), {
          maxSteps: '7',
          maxFiles: '5',
        });
        prompts.add(prompt);
        prefixes.add(prompt.slice(0, prompt.indexOf(PROMPT_MARK)));
      }
    }
    expect(prompts.size).toBe(150);
    expect(prefixes.size).toBe(1);
    const [prefix = ''] = prefixes;
    expect(prefix).toContain('project sim');
    expect([...prompts].join('')).not.toMatch(/\{\{\w+\}\}/);
  });

  it('tells a coder that its word decides nothing', () => {
    for (const name of ['coding', 'continuation'] as const)
      expect(getPrompt(simPolicy, name, '')).toContain('Your word starts the check and decides nothing');
  });

  it('puts words into its template once: placeholders in them stay words', () => {
    const prompt = getPrompt(simPolicy, 'coding', 'say {{project}} and $& and {{brief}}');
    expect(prompt.endsWith('say {{project}} and $& and {{brief}}\n')).toBe(true);
  });
});

describe('a template', () => {
  it.each(PROMPT_NAMES)('of our own for %s can be used', name => {
    expect(getTemplateProblem(name, DEFAULT_PROMPTS[name])).toBeNull();
  });

  it.each([
    ['no mark', 'Rules.\n{{brief}}', PROMPT_MARK],
    ['two marks', `${PROMPT_MARK}\n${PROMPT_MARK}\n{{brief}}`, PROMPT_MARK],
    ['an unknown placeholder', `{{projct}}\n${PROMPT_MARK}\n{{brief}}`, 'projct'],
    ['a placeholder of another kind', `{{maxSteps}}\n${PROMPT_MARK}\n{{brief}}`, 'maxSteps'],
    ['the brief above the mark', `{{brief}}\n${PROMPT_MARK}\n{{brief}}`, 'brief'],
    ['no brief', `Rules.\n${PROMPT_MARK}\nGo.`, 'brief'],
  ])('with %s cannot', (_, text, placeholder) => {
    expect(getTemplateProblem('coding', text)).toMatchObject({ placeholder });
  });

  it('may use every value that does not change, wherever it likes', () => {
    const text = `{{ project }} {{backlog}}\r\n${PROMPT_MARK}\r\n{{brief}} {{notes}}`;
    const policy = { ...simPolicy, prompts: { ...DEFAULT_PROMPTS, coding: text } };
    expect(getTemplateProblem('coding', text)).toBeNull();
    expect(getPrompt(policy, 'coding', 'B')).toBe(
      `sim features.json\n\n${PROMPT_MARK}\n\nB claude-progress.txt\n`,
    );
  });
});
