import type { Policy, PromptName } from '../model/policy.ts';

/**
 * Stands alone on a line, in templates and in prompts. What is above it is byte for byte the same in all
 * prompts of that kind, so that a provider can keep it in its cache.
 */
export const PROMPT_MARK = '<!-- below: what changes from session to session -->';

/** The whole prompt of a session: the template's rules, the mark, and what is to be known this time. */
export function getPrompt(
  policy: Policy,
  name: PromptName,
  brief: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const values: Readonly<Record<string, string>> = {
    project: policy.project,
    backlog: policy.backlogPath,
    notes: policy.notesPath,
    maxFileLines: String(policy.maxFileLines),
    ...more,
  };
  const [above = '', below = ''] = split(policy.prompts[name]);
  const rules = fill(above, values).trimEnd();
  return `${rules}\n\n${PROMPT_MARK}\n\n${fill(below, { ...values, brief }).trim()}\n`;
}

const EVERYWHERE = ['project', 'backlog', 'notes', 'maxFileLines'];
const PLANNER = ['maxSteps', 'maxFiles'];
const BRIEF = 'brief';

/** What is wrong with a template that somebody wrote, and where; null when it can be used. */
export function getTemplateProblem(
  name: PromptName,
  text: string,
): { readonly placeholder: string; readonly problem: string; readonly fix: string } | null {
  const parts = split(text);
  const known = [...EVERYWHERE, ...(name === 'planner' ? PLANNER : [])];
  const [above = '', below = ''] = parts;
  if (parts.length !== 2) {
    const problem = parts.length === 1 ? 'has no line' : 'has more than one line';
    return { placeholder: PROMPT_MARK, problem: `${problem} ${PROMPT_MARK}`, fix: MARK_FIX };
  }
  const unknown = [...getNames(text)].find(one => one !== BRIEF && !known.includes(one));
  if (unknown !== undefined) {
    const fix = `Known are ${[...known, BRIEF].map(one => `{{${one}}}`).join(', ')}.`;
    return { placeholder: unknown, problem: `has the unknown placeholder {{${unknown}}}`, fix };
  }
  if (getNames(above).has(BRIEF)) {
    const problem = 'has {{brief}} above the mark, where nothing may change from session to session';
    return { placeholder: BRIEF, problem, fix: 'Move {{brief}} below the mark.' };
  }
  if (getNames(below).has(BRIEF)) return null;
  const problem = 'lacks the placeholder {{brief}}: the agent would not be told its task';
  return { placeholder: BRIEF, problem, fix: 'Put {{brief}} below the mark.' };
}

const MARK_FIX =
  'Put it once, alone on a line, between the rules that never change and the part with {{brief}}.';

function split(template: string): string[] {
  const lines = template.split(/\r?\n/);
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === PROMPT_MARK) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(part => part.join('\n'));
}

const PLACEHOLDER = /\{\{\s*([\w.-]*)\s*\}\}/g;

function getNames(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
}

/** In one pass: what is put in is never looked at again. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? '');
}
