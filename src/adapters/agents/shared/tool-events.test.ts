import { expect, it } from 'vitest';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { Agent, AgentEvent, SessionRequest } from '../../../ports/index.ts';
import { findInCommand } from '../../sandbox/shell-ast.ts';
import { withAdvice } from './tool-events.ts';

it('follows a doubtful command with what is doubtful about it, and lets everything else be', async () => {
  const ran = (command: string): AgentEvent => ({ type: 'command', command, exitCode: 0, output: '' });
  const agent: Agent = {
    provider: 'test',
    run: async (_, onEvent) => {
      for (const event of [ran('npm test'), ran('git push'), { type: 'text', text: 'rm -rf /' } as const])
        onEvent(event);
      return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
    },
  };
  const heard: AgentEvent[] = [];
  const advised = withAdvice(agent, command => findInCommand(command, []));
  await advised.run({} as SessionRequest, event => heard.push(event));
  expect(heard).toEqual([
    ran('npm test'),
    ran('git push'),
    {
      type: 'advice',
      rule: 'publish',
      message: 'git push puts something where others see it',
      command: 'git push',
    },
    { type: 'text', text: 'rm -rf /' },
  ]);
});
