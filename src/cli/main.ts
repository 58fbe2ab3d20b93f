#!/usr/bin/env node
import { createIo } from './io.ts';

const io = createIo(process);
const [name = ''] = process.argv.slice(2);

/** `status` and `next` are asked often and read one index: they load nothing else. */
if (name === 'status' || name === 'next') {
  const { runHot } = await import('./hot.ts');
  if (!(await runHot(name, process.argv.slice(3), io))) await runProgram();
} else await runProgram();

async function runProgram(): Promise<void> {
  const { runProgram: run } = await import('./program.ts');
  await run(process.argv, io);
}
