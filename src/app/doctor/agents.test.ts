import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { git, makeRepo, write } from '../../../test/support/git-fixture.ts';
import { PROVIDER_FACTS } from '../../core/model/provider.ts';
import { openProject } from '../project/open-project.ts';
import { checkAgents } from './agents.ts';

vi.stubEnv('HARNESS_AGENT_MODULES', '');

const SCRIPT = '#!/bin/sh\ntrue\n';

/** What doctor says of the agents of a project. */
async function check(agent: string, prepare: (dir: string) => void = () => undefined) {
  const dir = makeRepo({ '.harness.yaml': `project: { name: x }\nagent: ${agent}\n` });
  prepare(dir);
  return await checkAgents(await openProject({ cwd: dir, env: {} }), 'HEAD');
}

describe('doctor on a chain of agents', () => {
  it('looks at every one of them, and says how to get what is missing', async () => {
    const found = await check('{ provider: scripted, fallback: [claude, codex, scripted, acp] }');
    expect(found.map(({ name, status }) => [name, status])).toEqual([
      ['agent', 'fail'],
      ['fallback', 'warn'],
      ['fallback', 'warn'],
      ['fallback', 'warn'],
    ]);
    expect(found[1]).toMatchObject({ detail: expect.stringMatching(/^claude: .*not installed/) });
    expect(found[2]).toMatchObject({
      fix: expect.stringContaining('npm install --save-dev @openai/codex-sdk'),
    });
    expect(found[3]).toMatchObject({ fix: expect.stringContaining('agent.command') });
  });

  it('calls a missing agent an error, and a missing fallback a warning', async () => {
    const [first, second] = await check('{ provider: codex, fallback: [claude] }');
    expect([first?.status, second?.status]).toEqual(['fail', 'warn']);
  });
});

describe('doctor on a program of the project as the agent', () => {
  const run = async (command: string, prepare: (dir: string) => void) =>
    (await check(`{ provider: command, command: ${command} }`, prepare))[0];
  const add = (dir: string, mode = 0o755) => {
    write(dir, { 'agent.sh': SCRIPT });
    chmodSync(join(dir, 'agent.sh'), mode);
  };
  const commit = (dir: string) => {
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'agent');
  };

  it.each(['./agent.sh --fast', 'sh agent.sh'])('refuses one that is not committed: %s', async command => {
    const finding = await run(command, dir => add(dir));
    expect(finding).toMatchObject({ status: 'fail', fix: 'git add agent.sh && git commit' });
    expect(finding?.detail).toContain('is not committed on HEAD');
  });

  it('warns of one that has changed since', async () => {
    const finding = await run('./agent.sh', dir => {
      add(dir);
      commit(dir);
      write(dir, { 'agent.sh': `${SCRIPT}# more\n` });
    });
    expect(finding).toMatchObject({ status: 'warn', fix: 'git commit agent.sh' });
  });

  it.each([
    ['./agent.sh', 'fail'],
    ['sh agent.sh', 'ok'],
  ])('of %s that is committed without the right to run says %s', async (command, status) => {
    const finding = await run(command, dir => {
      add(dir, 0o644);
      commit(dir);
    });
    expect(finding?.status).toBe(status);
  });

  it('warns of settings that Codex over ACP takes unasked, once it is there at all', async () => {
    const { packageName: name, version } = PROVIDER_FACTS.acp.sdk;
    const sdk = { name, version, main: 'x.js' };
    const prepare = (dir: string) =>
      write(dir, {
        '.codex/config.toml': '',
        [`node_modules/${name}/package.json`]: JSON.stringify(sdk),
      });
    const [warned] = await check('{ provider: acp, command: node }', prepare);
    expect(warned).toMatchObject({ status: 'warn', fix: expect.stringContaining('trust_repo_settings') });
    const [trusted] = await check('{ provider: acp, command: node, trust_repo_settings: true }', prepare);
    expect(trusted?.status).toBe('ok');
  });

  it('is content with one that is committed', async () => {
    const finding = await run('./agent.sh --fast src', dir => {
      add(dir);
      commit(dir);
    });
    expect(finding).toEqual({ name: 'agent', status: 'ok', detail: 'command: ./agent.sh --fast src' });
  });
});
