import { readlinkSync } from 'node:fs';
import type { Probe } from '../probe.ts';
import { landed, PROGRAM, program, read } from './kit.ts';

/** The network that this process has; whoever has one of its own has another. */
const NET = readlinkSync('/proc/self/ns/net');

/** What agents, tests and setting up see of the machine. */
export const SANDBOX_PROBES: readonly Probe[] = [
  {
    run: [['run'], ['proof', '1', '--json']],
    change: { 'sandbox.mode': { from: 'auto', to: 'off', tells: /sandbox\.mode is \\?"off/ } },
  },
  {
    files: program('readlink /proc/self/ns/net > src/1.txt'),
    with: PROGRAM,
    look: landed,
    change: {
      'sandbox.network': { from: 'on', to: 'off', tells: new RegExp(NET.replace(/[[\]]/g, '\\$&')) },
    },
  },
  {
    files: { 'test/all.sh': `test "$(readlink /proc/self/ns/net)" = "${NET}"\n` },
    change: { 'sandbox.test_network': { from: 'on', to: 'off', tells: /1 tests pass, 0 fail/ } },
  },
  {
    with: { environment: { init: `test "$(readlink /proc/self/ns/net)" = "${NET}"` } },
    change: { 'sandbox.setup_network': { from: 'on', to: 'off', tells: /task 1 landed/ } },
  },
  {
    with: { environment: { install: 'test -s ~/.netrc' } },
    prepare: project => project.write({ '../home/.netrc': 'machine x\n' }),
    change: { 'sandbox.setup_readable': { to: ['~/.netrc'], tells: /task 1 landed/ } },
  },
  {
    with: { environment: { init: 'test -s ~/.netrc' } },
    prepare: project => project.write({ '../home/.netrc': 'machine x\n' }),
    change: { 'sandbox.services': { to: ['~/.netrc'], tells: /task 1 landed/ } },
  },
  {
    files: program('cat ~/.netrc > src/1.txt 2>/dev/null; echo . >> src/1.txt'),
    with: PROGRAM,
    prepare: project => project.write({ '../home/.netrc': 'machine x\n' }),
    look: landed,
    change: { 'sandbox.readable': { to: ['~/.netrc'], tells: /landed: machine x/ } },
  },
  {
    files: program('cat ~/plain.txt > src/1.txt 2>/dev/null; echo . >> src/1.txt'),
    with: PROGRAM,
    prepare: project => project.write({ '../home/plain.txt': 'plain words\n' }),
    look: landed,
    change: { 'sandbox.hidden': { to: ['~/plain.txt'], tells: /landed: plain words/ } },
  },
  {
    files: program('echo seen > ~/out/here.txt; echo x > src/1.txt'),
    with: PROGRAM,
    prepare: project => project.write({ '../home/out/keep': '' }),
    look: project => `outside: ${read(project, '../home/out/here.txt')}`,
    change: { 'sandbox.writable': { to: ['~/out'], tells: /outside: seen/ } },
  },
];
