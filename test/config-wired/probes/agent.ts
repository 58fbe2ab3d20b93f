import type { Probe } from '../probe.ts';
import { DONE, landed, OPEN, PROGRAM, play, program } from './kit.ts';

const ECHO = program('echo "$HARNESS_MODEL/$HARNESS_SHELL_TIMEOUT_SECONDS/$MY_WORD" > src/1.txt');
const REFUSED = (retry: string) => ({
  'agent.yaml': `tasks: { "*": { attempts: [[{ refuse: { kind: rate_limit${retry} } }], [${DONE}]] } }\n`,
});

/** What it starts and changes is no sign of life either. */
const UNSEEN = { logging: { fallback_tracking: false } };

/** Who works, and with what. */
export const AGENT_PROBES: readonly Probe[] = [
  {
    run: [['run', '--dry-run']],
    change: { 'agent.provider': { from: 'scripted', to: 'claude', tells: /Agent: +claude/ } },
  },
  {
    files: { ...program('echo one > src/1.txt'), 'other.sh': 'mkdir -p src; echo two > src/1.txt\n' },
    with: PROGRAM,
    look: landed,
    change: { 'agent.command': { from: 'sh agent.sh', to: 'sh other.sh', tells: /landed: two/ } },
  },
  {
    files: {
      'other.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: two } }, { claim: done }] }\n',
    },
    look: landed,
    change: { 'agent.script': { from: 'agent.yaml', to: 'other.yaml', tells: /landed: two/ } },
  },
  {
    files: ECHO,
    with: PROGRAM,
    env: { MY_WORD: 'heard' },
    look: landed,
    change: { 'agent.env': { to: ['MY_WORD'], tells: /landed: .*heard/ } },
  },
  {
    files: {
      '.codex/config.toml': 'model = "x"\n',
      'node_modules/@agentclientprotocol/sdk/package.json':
        '{ "name": "@agentclientprotocol/sdk", "version": "2.4.0", "exports": "./index.js" }\n',
      'node_modules/@agentclientprotocol/sdk/index.js': '',
      ...program('true'),
    },
    with: { agent: { provider: 'acp', command: 'sh agent.sh' } },
    run: [['doctor']],
    change: { 'agent.trust_repo_settings': { to: true, tells: /\.codex\/config\.toml: Codex over ACP/ } },
  },
  {
    files: program('sleep 2; echo x > src/1.txt'),
    with: PROGRAM,
    change: { 'agent.timeout_seconds': { to: 0.5, tells: /task 1 landed/ } },
  },
  {
    files: { ...program('exit 127'), ...play(DONE) },
    with: PROGRAM,
    change: { 'agent.fallback': { from: [], to: ['scripted'], tells: /task 1 landed/ } },
  },
  {
    files: program('sleep 2; echo x > src/1.txt'),
    with: { ...PROGRAM, ...UNSEEN },
    change: { 'agent.first_event_seconds': { to: 0.5, tells: /task 1 landed/ } },
  },
  {
    files: program('echo begun; sleep 2; echo x > src/1.txt'),
    with: { ...PROGRAM, ...UNSEEN },
    change: { 'agent.idle_seconds': { to: 0.5, tells: /task 1 landed/ } },
  },
  {
    files: REFUSED(''),
    run: [['run', '--all', '--max-tasks', '1', '--for', '10s']],
    change: { 'agent.rate_limit_backoff_ms': { from: 60_000, to: 10, tells: /task 1 landed/ } },
  },
  {
    files: REFUSED(''),
    with: { agent: { rate_limit_backoff_ms: 10 } },
    run: [['run', '--all', '--max-tasks', '1']],
    change: { 'agent.max_rate_limit_retries': { to: 0, tells: /task 1 landed/ } },
  },
  {
    files: ECHO,
    with: PROGRAM,
    look: landed,
    change: { 'tools.shell.timeout_seconds': { from: 300, to: 17, tells: /landed: .*\/17\// } },
  },
  {
    files: program('sudo true 2>/dev/null; echo "$?" > src/1.txt; git --version >> src/1.txt'),
    with: PROGRAM,
    look: landed,
    change: { 'tools.shell.denied_commands': { from: [], to: ['git'], tells: /git version/ } },
  },
  {
    files: play(`{ run: "true" }, ${DONE}`),
    change: { 'tools.shell.enabled': { to: false, tells: /task 1 landed/ } },
  },
  {
    files: {
      ...program('cat kept/word.txt > src/1.txt 2>/dev/null || echo hidden > src/1.txt'),
      'kept/word.txt': 'seen\n',
    },
    with: PROGRAM,
    look: landed,
    change: { 'tools.filesystem.denied_paths': { to: ['kept/'], tells: /landed: hidden/ } },
  },
  {
    change: { 'tools.filesystem.allowed_paths': { to: ['lib/'], tells: /task 1 landed/ } },
  },
  {
    files: program('cat "$HARNESS_MCP_CONFIG" > src/1.txt 2>/dev/null; echo . >> src/1.txt'),
    with: PROGRAM,
    look: landed,
    change: {
      'tools.mcp_servers.<name>.enabled': { from: false, to: true, tells: /"mine"/ },
      'tools.mcp_servers.<name>.command': { from: 'one', to: 'two', tells: /"command": "two"/ },
      'tools.mcp_servers.<name>.args': { from: [], to: ['--quick'], tells: /--quick/ },
      'tools.mcp_servers.<name>.config': { from: {}, to: { depth: 3 }, tells: /depth/ },
    },
  },
  {
    files: program('cat "$HARNESS_MCP_CONFIG" > src/1.txt 2>/dev/null; echo . >> src/1.txt'),
    with: PROGRAM,
    look: landed,
    change: { 'tools.mcp_servers': { to: { theirs: { command: 'true' } }, tells: /"theirs"/ } },
  },
  {
    with: { ...OPEN, dev_server: { url: 'http://localhost:1', command: 'true' } },
    run: [['doctor']],
    change: {
      'tools.visual_verification.pages': { from: ['/'], to: ['/login'], tells: /\/login/ },
      'tools.visual_verification.viewports': { to: [{ width: 390, height: 844 }], tells: /390x844/ },
      'tools.visual_verification.ready_seconds': { from: 60, to: 7, tells: /within 7 s/ },
    },
  },
  {
    run: [['doctor']],
    change: {
      'tools.visual_verification.mode': {
        to: 'required',
        tells: /no application to look at[\s\S]*fix: set dev_server/,
      },
    },
  },
  {
    run: [['doctor']],
    change: {
      'dev_server.url': { to: 'http://localhost:1', tells: /dev_server\.url are not set/ },
      'dev_server.command': { to: 'true', tells: /dev_server\.command and/ },
    },
  },
];
