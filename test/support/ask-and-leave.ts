// Asks one question about an object, then has nothing more to do: must end by itself, at once.
import { openContext } from '../../src/adapters/git/context.ts';
import { readObjectIds } from '../../src/adapters/git/objects.ts';
import { openRepo } from '../../src/adapters/git/repo.ts';
import { runGit } from '../../src/adapters/git/run-git.ts';

const [root = '', commit = ''] = process.argv.slice(2);
const ctx = openContext(await openRepo(root), runGit);
const [id] = await readObjectIds(ctx, [commit]);
if (id) process.stdout.write('asked\n');
