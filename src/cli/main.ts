#!/usr/bin/env node
import { runQuick } from './render/quick-status.ts';
import { createIo } from './terminal/io.ts';
import { reportError } from './terminal/report-error.ts';

const LINGER_MS = 5_000;

const io = createIo(process);
const [name = ''] = process.argv.slice(2);

/** Nothing here has ever run there: process groups, signals and paths are other ones. */
if (process.platform === 'win32') {
  io.err('error: harness does not run on Windows itself');
  io.err('  fix: use it in WSL2, in a repository on the disk of Linux (not below /mnt)');
  process.exit(1);
}

/** `status` and `next` are asked often and read one index: they load nothing else. */
const isAnswered = (name === 'status' || name === 'next') && runQuick(name, process.argv.slice(3), io);
if (!isAnswered) {
  import('./program.ts')
    .then(({ runProgram }) => runProgram(process.argv, io))
    .catch(error => {
      reportError(io, error, process.argv.includes('--json'));
      // Whatever the failure left open must not keep a command that has said its last word.
      setTimeout(() => process.exit(), LINGER_MS).unref();
    });
}
