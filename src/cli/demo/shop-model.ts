import type { Turn } from '../../model-server/script.ts';
import { getShopAgent, type Moves } from './shop-agent.ts';

/** Agents whose model can be scripted, so that the real kit plays the same night. */
export type DemoAgent = 'scripted' | 'claude' | 'codex';

/** The agent's part as the answers of a model: one turn per command, and words at the end of each session. */
export function getShopTurns(agent: Exclude<DemoAgent, 'scripted'>): Turn[] {
  return Object.entries(getShopAgent().tasks).flatMap(([id, part]) => {
    const attempts = 'attempts' in part ? part.attempts : [part];
    return attempts.flatMap(moves => moves.flatMap(move => getTurn(agent, `**Task ${id}:**`, move)));
  });
}

function getTurn(agent: 'claude' | 'codex', prompt: string, move: Moves[number]): Turn[] {
  const usage = { input: 2_000, output: 300 };
  const words = move.claim ?? move.lie;
  if (words !== undefined) return [{ prompt, text: String(words), usage }];
  const command = move.edit ? getWriteCommand(move.edit as Edit) : move.run;
  if (command === undefined) return [];
  const tool =
    agent === 'claude'
      ? { name: 'Bash', input: { command, description: 'part of the demo' } }
      : { name: 'exec_command', input: { cmd: command } };
  return [{ prompt, tools: [tool], usage }];
}

interface Edit {
  readonly file: string;
  readonly content: string;
}

function getWriteCommand({ file, content }: Edit): string {
  return `mkdir -p "$(dirname ${file})" && cat > ${file} <<'END_OF_FILE'\n${content}END_OF_FILE`;
}
