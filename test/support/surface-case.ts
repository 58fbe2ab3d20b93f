import { createRandom } from '../../src/adapters/process/random.ts';
import { createSources } from '../../src/adapters/source/sources.ts';
import { surface } from '../../src/checks/surface.ts';
import type { Files } from './bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from './check-bench.ts';
import { makeTempDir } from './git-fixture.ts';

const sources = createSources({ workerId: 'w', random: createRandom() }, makeTempDir());

/** A project in two languages, with an entry and a program. */
export const SHOP: Files = {
  'shop/__init__.py': 'from .csv import to_csv\n',
  'shop/csv.py': 'import os\n\n\ndef to_csv(rows):\n    return os.linesep.join(rows)\n',
  'shop/report.py': 'import json\nfrom shop.csv import to_csv\nfrom shop import csv, to_csv as other\n',
  'package.json': JSON.stringify({
    name: 'shop',
    type: 'module',
    exports: './src/index.js',
    bin: { shop: 'bin/shop' },
    dependencies: { left: '1' },
  }),
  'src/index.js': "export { format } from './price.js';\nexport * from './csv.js';\n",
  'src/price.js': 'export const format = cents => String(cents);\nexport const hidden = 1;\n',
  'src/csv.js': "export const toCsv = rows => rows.join(';');\n",
  'bin/shop': "#!/usr/bin/env node\nimport { toCsv } from '../src/index.js';\nconsole.log(toCsv([]));\n",
};

/** What the check says of a change to the shop; null deletes. Nothing is really loaded. */
export async function check(
  change: Readonly<Record<string, string | null>>,
  was: Files = {},
  given: CheckCase = {},
) {
  const base = { ...BASE, ...SHOP, ...was };
  const files = Object.entries({ ...HEALTHY, ...SHOP, ...was, ...change }).filter(
    ([, text]) => text !== null,
  );
  const candidate = Object.fromEntries(files) as Files;
  const { ctx } = await createCheckContext({ base, candidate, ...given });
  return surface({ ...ctx, ports: { ...ctx.ports, sources } });
}
