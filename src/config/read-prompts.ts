import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorMessage, HarnessError } from '../core/base/failure.ts';
import { getNearest } from '../core/base/nearest.ts';
import { PROMPT_NAMES, type PromptName, type Prompts } from '../core/model/policy.ts';
import { getTemplateProblem } from '../core/prompt/prompt.ts';

/** The prompts that a project has written itself; one that cannot be used is an error, never passed over. */
export function readPrompts(root: string, dir: string): Partial<Prompts> {
  const files = listTemplates(join(root, dir));
  return Object.fromEntries(
    files.map(file => {
      const path = `${dir}/${file}`;
      const name = getName(file, path);
      return [name, readTemplate(root, path, name)];
    }),
  );
}

function listTemplates(dir: string): string[] {
  try {
    return readdirSync(dir).filter(file => file.endsWith('.md') && file.toLowerCase() !== 'readme.md');
  } catch {
    return [];
  }
}

function getName(file: string, path: string): PromptName {
  const wanted = file.slice(0, -'.md'.length);
  const found = PROMPT_NAMES.find(name => name === wanted);
  if (found) return found;
  const near = getNearest(wanted, PROMPT_NAMES);
  throw new HarnessError('config', `${path} is not the name of a prompt`, {
    file: path,
    field: wanted,
    fix: near ? `Did you mean ${near}.md?` : `The prompts are ${PROMPT_NAMES.join(', ')}.`,
  });
}

function readTemplate(root: string, path: string, name: PromptName): string {
  let text: string;
  try {
    text = readFileSync(join(root, path), 'utf8');
  } catch (error) {
    const why = getErrorMessage(error);
    throw new HarnessError('config', `${path} cannot be read: ${why}`, {
      file: path,
      fix: 'Make it a file that you may read.',
    });
  }
  const problem = getTemplateProblem(name, text);
  if (!problem) return text;
  throw new HarnessError('config', `${path} ${problem.problem}`, {
    file: path,
    field: problem.placeholder,
    fix: problem.fix,
  });
}
