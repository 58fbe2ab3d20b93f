import { parseTap } from '../reports/tap.ts';
import {
  findName,
  getCaptured,
  getForFile,
  getJsStub,
  getPathTarget,
  getPlan,
  getUnwatched,
  withFlag,
} from './command-edits.ts';
import type { Runner } from './runner.ts';

/** Whatever prints TAP, or writes it where the settings say. */
export const tap: Runner = {
  reportName: 'TAP',
  findCall: findName('ava', 'tap', 'tape'),
  valueFlags: /^(-[cmrRT]|--(config|match|require|reporter|concurrency|jobs|timeout|node-arguments|ignore))$/,
  getTarget: getPathTarget,
  targetPlace: 'call-only',
  plan: (command, { quoted }) => getPlan(getCaptured(command, `> ${quoted}`), {}, 'stdout'),
  parse: parseTap,
  variables: ['TAP_CHILD_ID'],
  packages: ['ava', 'tap'],
  tools: [
    {
      ...{ name: 'ava', programs: ['ava'], isDirect: true, runsAlone: true },
      ...{ once: line => withFlag('--tap')(getUnwatched(line)), feature: getForFile },
    },
    { name: 'tap', programs: ['tap'], once: withFlag('--reporter=tap'), feature: getForFile },
    { name: 'tape', programs: ['tape'], feature: getForFile },
  ],
  getStub: stub =>
    getJsStub(stub, isImported =>
      isImported ? "import test from 'ava';\n\ntest" : "const test = require('ava');\n\ntest",
    ),
};
