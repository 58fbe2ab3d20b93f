import { matchesAny } from '../base/glob.ts';
import { getBaseName, getExtension, getFolded, getFolder, joinPath } from '../base/tree-path.ts';

/** Files that agents and tools take instructions or commands from, whoever wrote them: by name, since only names tell. */
const STEERING: readonly string[] = [
  '**/.{claude,codex,gemini,cursor,windsurf,clinerules,roo,continue,kiro,opencode,amazonq,junie,agents,openhands}/**',
  '**/.{cursorrules,windsurfrules,clinerules,roorules,goosehints,rules,mcp.json,aider*}',
  '**/opencode.json*',
  '**/.github/{copilot-*,instructions/**,prompts/**,chatmodes/**,agents/**}',
  '**/.vscode/{mcp,tasks,settings}.json',
  '**/{.devcontainer/**,.devcontainer.json,.husky/**,.envrc}',
];

const NAMED: readonly string[] = ['**/{agent,agents,agents.override,claude,claude.local,gemini,qwen}.md'];

/** Whether the next agent will be told something else by this file. A document in small letters is for people. */
export function isSteering(path: string): boolean {
  if (matchesAny(getFolded(path), STEERING)) return true;
  const name = getBaseName(path);
  return matchesAny(getFolded(path), NAMED) && (name === path || name !== name.toLowerCase());
}

const DOCUMENTS: ReadonlySet<string> = new Set(['', ...'md mdc mdx markdown txt rst adoc rules'.split(' ')]);

/** Whether a file can pull in others: programs and settings name paths too, and mean something else. */
export function isInstruction(path: string): boolean {
  return isSteering(path) && DOCUMENTS.has(getExtension(path));
}

/** The files that an instruction pulls in as if it said itself what they say: `@docs/style.md`. */
export function getIncluded(path: string, text: string, files: ReadonlySet<string>): readonly string[] {
  return getPlaces(path, getMentions(text), files);
}

/** The document that a symbolic link stands for. Links in a text are for whoever wants to know more. */
export function getReferred(path: string, text: string, files: ReadonlySet<string>): readonly string[] {
  const isPath = text.length < 256 && !text.trim().includes('\n');
  return isPath ? getPlaces(path, [text.trim()], files) : [];
}

function getPlaces(path: string, names: readonly string[], files: ReadonlySet<string>): readonly string[] {
  const places = names.flatMap(name => [joinPath(getFolder(path), name), joinPath('', name)]);
  return [...new Set(places)].filter(place => place !== path && files.has(place));
}

function getMentions(text: string): readonly string[] {
  const words = text.split('\n').flatMap(line => line.split('\t').flatMap(part => part.split(' ')));
  return words.flatMap(word => {
    const at = word.indexOf('@');
    const isStart = at === 0 || (at > 0 && '(["\'*'.includes(word.charAt(at - 1)));
    return isStart ? [trimMarks(word.slice(at + 1))] : [];
  });
}

/** A path without what ends the sentence around it. */
function trimMarks(word: string): string {
  let end = word.length;
  while (end > 0 && '.,;:!?)]"\'*\r'.includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}
