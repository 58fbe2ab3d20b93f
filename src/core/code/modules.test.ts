import { describe, expect, it } from 'vitest';
import { readJsModule } from '../../adapters/source/js-module.ts';
import { findLostMembers, type ModuleTree } from './modules.ts';

type Texts = Readonly<Record<string, string>>;

function open(texts: Texts): ModuleTree {
  return {
    files: new Set(Object.keys(texts)),
    read: async path => {
      const read = readJsModule(path, texts[path] ?? '');
      return 'facts' in read ? read.facts : null;
    },
  };
}

async function find(user: string, was: string, is: string): Promise<readonly string[]> {
  const before = open({ 'a.js': user, 'csv.js': was });
  return findLostMembers(before, open({ 'a.js': user, 'csv.js': is }), 'a.js');
}

const ESM = ['export const a = 1, b = 2;', 'export const a = 1;'] as const;
const COMMON = ['exports.a = 1;\nexports.b = 2;', 'module.exports = { a: 1, c() {} };'] as const;

describe('names of modules that are held as a whole', () => {
  it.each<[string, readonly [string, string]]>([
    ["import * as csv from './csv.js';\nconsole.log(csv.b(1));", ESM],
    ["import * as csv from './csv.js';\nconst { length } = csv['b'];", ESM],
    ["const csv = require('./csv.js');\nconsole.log(csv.b);", COMMON],
    ["const { a, b: c } = require('./csv.js');", COMMON],
    ["console.log(require('./csv.js').b);", COMMON],
    ["const csv = require('./csv.js');\nmodule.exports = () => csv.b;", ESM],
  ])('%s: b is missed', async (user, [was, is]) => {
    expect(await find(user, was, is)).toEqual([expect.stringContaining('uses b of ./csv.js')]);
  });

  it.each<[string, readonly [string, string]]>([
    ["import * as csv from './csv.js';\nconsole.log(csv.a, csv.never);", ESM],
    ["import * as csv from './csv.js';\nconst f = csv => csv.b;", ESM],
    ["import * as csv from './csv.js';\nif (csv.b) console.log(csv.b && 1, typeof csv.b);", ESM],
    ["const csv = require('./csv.js');\ntry { csv.b(); } catch {}", COMMON],
    ["const csv = require('./csv.js');\ncsv.b = 1;", COMMON],
    ["const { b = 1 } = require('./csv.js');", COMMON],
    ["const csv = require('./csv.js');\nconsole.log(csv.b);", [COMMON[0], 'Object.assign(exports, all);']],
    [
      "const csv = require('./csv.js');\nconsole.log(csv.b);",
      [COMMON[0], "module.exports = require('./d.js');"],
    ],
    ["const csv = require('./csv.js');\nconsole.log(csv.b);", [COMMON[0], 'module.exports = { ...all };']],
    ["const csv = require('./csv.js');\nconsole.log(csv.b);", [COMMON[0], 'exports[name] = 1;']],
  ])('%s: nothing is missed', async (user, [was, is]) => {
    expect(await find(user, was, is)).toEqual([]);
  });
});
