import { describe, expect, it } from 'vitest';
import { getIncluded, getReferred, isInstruction, isSteering } from './steering.ts';

const FILES = new Set(['docs/style.md', 'docs/a.md', 'README.md', 'src/a.ts', 'pkg/rules.md', 'rules.md']);

describe('what steers agents', () => {
  it.each([
    'AGENT.md',
    'QWEN.md',
    '.rules',
    '.junie/guidelines.md',
    '.agents/skills/a.md',
    '.openhands/setup.sh',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    '.husky/pre-commit',
    '.envrc',
  ])('knows %s', path => {
    expect(isSteering(path)).toBe(true);
  });

  it.each(['docs/agent.md', 'src/agents/index.ts', 'src/rules.ts', '.env.example', 'husky.md'])(
    'leaves %s to people',
    path => {
      expect(isSteering(path)).toBe(false);
    },
  );

  it('reads documents, not settings', () => {
    expect(['AGENTS.md', '.cursorrules', '.cursor/rules/a.mdc'].map(isInstruction)).not.toContain(false);
    expect(['.claude/settings.json', '.husky/run.js', 'README.md'].map(isInstruction)).not.toContain(true);
  });

  it.each([
    ['@docs/style.md', ['docs/style.md']],
    ['Follow @./docs/style.md, (@docs/a.md).', ['docs/style.md', 'docs/a.md']],
    ['- @src/a.ts\r\n', ['src/a.ts']],
    ['mail me@docs/style.md, `@docs/style.md`, @types/node', []],
  ])('includes what %j names', (text, wanted) => {
    expect(getIncluded('AGENTS.md', text, FILES)).toEqual(wanted);
  });

  it.each([
    ['see [style](docs/style.md#names) and [a](./docs/a.md "A")', []],
    ['docs/style.md', ['docs/style.md']],
    ['[code](src/a.ts), [web](https://a.io/README.md), [gone](docs/gone.md)', []],
    ['read docs/style.md first', []],
  ])('refers to what %j stands for', (text, wanted) => {
    expect(getReferred('CLAUDE.md', text, FILES)).toEqual(wanted);
  });

  it('looks beside the instruction, and at the top', () => {
    expect(getIncluded('pkg/AGENTS.md', '@rules.md', FILES)).toEqual(['pkg/rules.md', 'rules.md']);
    expect(getReferred('pkg/AGENTS.md', '../docs/a.md', FILES)).toEqual(['docs/a.md']);
  });
});
