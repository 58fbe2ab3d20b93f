// Asks one question about an object, then has nothing more to do: must end by itself, at once.

import { readObjectIds } from '../../src/adapters/git/objects/objects.ts';
import { openContext } from '../../src/adapters/git/repo/context.ts';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';

const [root = '', commit = ''] = process.argv.slice(2);
const ctx = openContext(await openRepo(root), runGit);
const [id] = await readObjectIds(ctx, [commit]);
if (id) process.stdout.write('asked\n');
