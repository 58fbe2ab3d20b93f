import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { buildModules } from '../../../scripts/build.js';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { createRandom } from '../process/random.ts';

it('reads every language after it was bundled', async () => {
  const dist = makeTempDir();
  await buildModules({ sources: 'src/adapters/source/sources.ts' }, dist);
  const { createSources } = (await import(
    pathToFileURL(join(dist, 'sources.mjs')).href
  )) as typeof import('./sources.ts');
  const sources = createSources({ workerId: 'w-built', random: createRandom() }, dist);
  const texts = {
    'a.yaml': 'a: [',
    'a.yml': 'a: [',
    'a.json': '{',
    'a.sh': 'if',
    'a.js': 'a(',
    'a.ts': 'a(',
    'a.py': 'a(',
  };
  for (const [path, text] of Object.entries(texts))
    expect([path, await sources.read?.({ path, text })]).toEqual([
      path,
      expect.objectContaining({ problem: expect.any(String), facts: null }),
    ]);
});
