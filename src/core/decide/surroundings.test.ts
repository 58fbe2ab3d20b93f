import { describe, expect, it } from 'vitest';
import { getBlockPorts, getEnvironmentSurroundings, getNextBlock, getSurroundings } from './surroundings.ts';

const ALL = Array.from({ length: 1_200 }, (_, block) => block);

describe('blocks of ports', () => {
  it('lie below what systems give out by themselves, and none shares a port with another', () => {
    const ports = ALL.flatMap(getBlockPorts);
    expect(new Set(ports).size).toBe(ports.length);
    expect([Math.min(...ports), Math.max(...ports)]).toEqual([20_000, 31_999]);
  });

  it('begin where the hash says, and each is offered once', () => {
    const passed = new Set<number>();
    const first = getNextBlock('000004b1ff', passed);
    expect(first).toBe(0x4b1 % 1_200);
    for (let block = first; block !== null; block = getNextBlock('000004b1ff', passed)) passed.add(block);
    expect([...passed].sort((a, b) => a - b)).toEqual(ALL);
  });
});

describe('the surroundings of a slot', () => {
  const agent = getSurroundings({ project: 'h1f', slot: 2, use: 'agent', block: 3 });
  const verification = getSurroundings({ project: 'h1f', slot: 2, use: 'verification', block: 4 });

  it('are ten ports, a suffix for databases and a name for compose', () => {
    expect(Object.keys(agent)).toHaveLength(13);
    expect(agent).toMatchObject({
      HARNESS_SLOT: '2',
      HARNESS_PORT: '20030',
      HARNESS_PORT_2: '20031',
      HARNESS_PORT_10: '20039',
      HARNESS_DB_SUFFIX: 'h1f_2',
      COMPOSE_PROJECT_NAME: 'harness_h1f_2',
    });
  });

  it('differ between the agent and its verification, the slot alone is the same', () => {
    const same = Object.keys(agent).filter(name => agent[name] === verification[name]);
    expect(same).toEqual(['HARNESS_SLOT']);
  });

  it('are made of letters that databases and compose take', () => {
    for (const { HARNESS_DB_SUFFIX = '', COMPOSE_PROJECT_NAME = '' } of [agent, verification]) {
      expect(HARNESS_DB_SUFFIX).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(COMPOSE_PROJECT_NAME).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    }
  });

  it('are both told to what brings the environment up', () => {
    expect(getEnvironmentSurroundings(agent, verification)).toMatchObject({
      ...agent,
      HARNESS_VERIFICATION_PORT: '20040',
      HARNESS_VERIFICATION_PORT_10: '20049',
      HARNESS_VERIFICATION_DB_SUFFIX: 'h1f_2v',
      HARNESS_VERIFICATION_COMPOSE_PROJECT_NAME: 'harness_h1f_2v',
    });
  });
});
