import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { PROVIDER_NAMES } from '../../../core/model/provider.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentSettings, AgentTools, Driver, ExaminedProject, Finding } from '../shared/provider.ts';
import { playScript, type Stage } from './play-script.ts';
import { type AgentScript, getMoves, getPlannerMoves, parseScript } from './script-schema.ts';

type ScriptedSettings = Pick<AgentSettings, 'projectRoot' | 'script'> & Stage['allowed'];

/** An agent that costs nothing: it plays a file of moves, so that a setup can be tried and tested. */
export function createScriptedAgent(
  { projectRoot, script: file, ...allowed }: ScriptedSettings,
  { shell, clock }: Pick<AgentTools, 'shell' | 'clock'>,
): Driver {
  const scriptPath = getScriptPath(projectRoot, file);
  return {
    run: async (request, emit) => {
      const script = await readAgentScript(scriptPath);
      const turn = request.turn ?? request.attempt;
      const isPlanner = request.role === 'planner';
      const isReview = request.role === 'review' || request.role === 'second-reader';
      const name = isReview ? `${request.task.id}/${request.role}` : request.task.id;
      const isKnown = !isReview || script?.has(name);
      const moves =
        script && isKnown && (isPlanner ? getPlannerMoves(script, turn) : getMoves(script, name, turn));
      if (moves) return await playScript(moves, { request, emit, shell, clock, allowed });
      const summary = isPlanner
        ? getPlannerHint(scriptPath)
        : getHint(scriptPath, request.task.id, script !== null);
      emit({ type: 'text', text: summary });
      return { outcome: 'not-done', summary, usage: NO_USAGE };
    },
  };
}

/** Where the script is when the config names no other file. */
const DEFAULT_SCRIPT = 'harness-agent.yaml';

/** In the user's checkout: the agent's own worktree has no say in what it plays. */
function getScriptPath(root: string, script: string | null | undefined): string {
  const path = script ?? DEFAULT_SCRIPT;
  return isAbsolute(path) ? path : join(root, path);
}

/** Whether there is a script to play, and who else could do the work. */
export async function examineScript({ root, script, configFile }: ExaminedProject): Promise<Finding> {
  const name = script ?? DEFAULT_SCRIPT;
  const found = await readAgentScript(getScriptPath(root, script));
  if (found !== null) return { status: 'ok', detail: `scripted, playing ${name}` };
  const detail = script
    ? `the scripted agent has no script at ${name}`
    : `no agent is configured: the embedded one plays ${name}, which is not there`;
  const others = PROVIDER_NAMES.filter(one => one !== 'scripted' && one !== 'command').join(', ');
  const lines = ['agent:', '  provider: command', '  command: ./agent.sh'].map(line => `\n  ${line}`);
  const fix = `say in ${configFile} who does the work: ${others}, or a program of yours (docs/agents.md of Harness):${lines.join('')}`;
  return { status: 'fail', detail, fix };
}

/** The script as it is on disk now; null when there is none. */
async function readAgentScript(path: string): Promise<AgentScript | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new HarnessError('config', `${path} cannot be read: ${(error as Error).message}`, {
      file: path,
      fix: 'Make it a readable file, or set agent.script to another one.',
    });
  }
  return parseScript(text, path);
}

function getPlannerHint(path: string): string {
  return `The scripted agent has no plan to give. Add one to ${path}, such as planner: [{ answer: { summary: "…", tasks: […] } }], or choose another agent (--agent claude).`;
}

function getHint(path: string, taskId: string, hasScript: boolean): string {
  const entry = `tasks: { "${taskId}": [{ say: "hello" }, { claim: "done" }] }`;
  return hasScript
    ? `The scripted agent has nothing to play for task ${taskId}. Add it (or "*") to ${path}, such as ${entry}`
    : `The scripted agent has no script. Write ${path}, such as ${entry}, or set agent.provider to "command".`;
}
