import { accessSync, constants, existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createAgent } from '../adapters/agents/create-agent.ts';
import { DEFAULT_SCRIPT, readAgentScript } from '../adapters/agents/scripted.ts';
import { createClock } from '../adapters/process/clock.ts';
import { createRandom } from '../adapters/process/random.ts';
import { createShell } from '../adapters/process/shell.ts';
import { getCommands } from '../core/command-line.ts';
import type { Checkup } from './doctor-finding.ts';
import { checkKit } from './doctor-kits.ts';
import type { Checkout } from './open-checkout.ts';

type Finding = Omit<Checkup, 'name'>;

/** Whether the program of the test command can be found; whether its tests pass is the run's business. */
export function checkTestCommand({ config, configFile, places }: Checkout): Finding {
  const command = config.testing.full ?? config.testing.feature;
  if (command === null) {
    const fix = `set testing.full in ${configFile}`;
    return { status: 'warn', detail: 'no test command: only tasks with a validation can be proven', fix };
  }
  const program = findMissingProgram(command, places.root);
  if (program === null) return { status: 'ok', detail: command };
  const fix = `install ${program}, or change testing.full in ${configFile}`;
  return { status: 'fail', detail: `${program} of "${command}" is not found`, fix };
}

/** Whether the configured agent could be started. */
export async function checkAgent({ config, configFile, places }: Checkout): Promise<Finding> {
  const { provider, command, script } = config.agent;
  if (provider === 'scripted') return checkScript(places.root, script ?? DEFAULT_SCRIPT);
  const owner = { workerId: 'doctor', random: createRandom() };
  const scriptPath = join(places.root, script ?? DEFAULT_SCRIPT);
  createAgent({ provider, command, scriptPath }, { owner, shell: createShell(owner), clock: createClock() });
  const program = command === null ? null : findMissingProgram(command, places.root);
  if (program === null) {
    if (provider !== 'command') return checkKit(provider, places.root, process.env);
    return { status: 'ok', detail: `${provider}: ${command}` };
  }
  const fix = `install ${program}, or change agent.command in ${configFile}`;
  return { status: 'fail', detail: `${program} of "${command}" is not found`, fix };
}

async function checkScript(root: string, script: string): Promise<Finding> {
  const path = isAbsolute(script) ? script : join(root, script);
  const found = await readAgentScript(path);
  if (found !== null) return { status: 'ok', detail: `scripted, playing ${script}` };
  const fix = `write ${script} (docs/agents.md), or set agent.provider to command`;
  return { status: 'warn', detail: `the scripted agent has no script at ${script}: it will do nothing`, fix };
}

/** The first program of a command line, when it is neither on PATH nor in the project nor a word of the shell. */
function findMissingProgram(line: string, root: string): string | null {
  const words =
    getCommands(line)[0]
      ?.map(word => word.value)
      .filter(word => !/^\w+=/.test(word)) ?? [];
  const [program = ''] = words;
  if (program === '' || SHELL_WORDS.has(program) || /[$`*?]/.test(program)) return null;
  if (program.includes('/'))
    return existsSync(isAbsolute(program) ? program : join(root, program)) ? null : program;
  const folders = [...(process.env.PATH ?? '').split(':'), join(root, 'node_modules', '.bin')];
  return folders.some(folder => folder !== '' && isExecutable(join(folder, program))) ? null : program;
}

const SHELL_WORDS = new Set([
  'cd',
  'exec',
  'export',
  'if',
  'for',
  'while',
  'set',
  'source',
  '.',
  'test',
  '[',
  '{',
  '!',
  'true',
  'false',
  'eval',
  'exit',
  'ulimit',
  'umask',
  'command',
  'time',
]);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
