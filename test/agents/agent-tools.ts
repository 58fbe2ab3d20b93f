import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolboxes } from '../../src/adapters/mcp/toolbox.ts';
import { buildProgram } from '../support/build-program.ts';
import type { Stage } from './agent-stage.ts';

const SAID = {
  checkpoint: { step: 1, total: 2, description: 'the first half' },
  record_decision: { text: ' PATCH instead of PUT ' },
  ask_human: { question: 'Which key?', why: 'none is here' },
  save_handoff: { phase: 'half', next_step: 'the other half' },
  claim_done: { summary: 'it works' },
};

/** What an agent says through the harness's tools is the same, wherever they are served. */
export function describeTools(name: string, stage: () => Stage): void {
  describe(`${name} and the harness's tools`, () => {
    let dir = '';
    let program = '';
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'harness-tools-'));
      program = await buildProgram('test/agents/serve-tools.ts', dir);
    });
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    test('it is told what the harness knows, and everything it says is heard in form', async () => {
      const { play, cwd, server, agent } = stage();
      const serve = (place: string) => ({ command: process.execPath, args: [program, place], env: {} });
      const toolbox = createToolboxes(serve);
      const harness = await toolbox.open(cwd, 'Task 7 is about swordfish.');
      const calls = Object.entries({ orientation: {}, ...SAID }).map(([tool, input]) => ({
        tools: [{ name: `mcp__harness__${tool}`, input }],
      }));
      const { result } = await play([...calls, { text: 'done' }], {
        mcpServers: { harness: agent.provider === 'claude' ? { ...harness, command: 'false' } : harness },
      });
      expect(result.outcome).toBe('claimed');
      expect(server.requests[1]?.newest).toContain('Task 7 is about swordfish.');
      expect(server.requests.at(-1)?.newest).toContain('Heard. End your turn');
      expect(await toolbox.read(cwd)).toEqual([
        { type: 'checkpoint', ...SAID.checkpoint },
        { type: 'decision', text: 'PATCH instead of PUT' },
        { type: 'question', ...SAID.ask_human, steps: [], check: 'the task can go on' },
        {
          ...{ type: 'handoff', ...SAID.save_handoff },
          ...{ completed: [], critical_files: [], memory_notes: '' },
        },
        { type: 'claim', ...SAID.claim_done },
      ]);
    });

    test('what is not in form is refused, and the agent is told so', async () => {
      const { play, cwd, server } = stage();
      const toolbox = createToolboxes(place => ({
        ...{ command: process.execPath, args: [program, place], env: {} },
      }));
      const harness = await toolbox.open(cwd, 'Task 7.');
      const call = { name: 'mcp__harness__checkpoint', input: { step: 'one', total: 2 } };
      await play([{ tools: [call] }, { text: 'done' }], { mcpServers: { harness } });
      expect(server.requests[1]?.newest).toMatch(/description/);
      expect(await toolbox.read(cwd)).toEqual([]);
    });
  });
}
