import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { getScaffold } from './get-scaffold.ts';
import { writeScaffold } from './scaffold.ts';

const HELP = `npm run new -- check|step|command|runner|provider|event NAME [--in FOLDER]
Writes the files of a new thing with a test that runs, and its line in the table that lists all of them.
--in: where a command stands (work, people, look, care) or the theme of an event (task, people, …).`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string' }, help: { type: 'boolean', default: false } },
});

try {
  if (values.help) console.log(HELP);
  else write(process.cwd());
} catch (error) {
  console.error(`${(error as Error).message}\n\n${HELP}`);
  process.exitCode = 1;
}

function write(root: string): void {
  const [kind = '', name = ''] = positionals;
  const scaffold = getScaffold(root, kind, name, values.in);
  const paths = writeScaffold(root, scaffold);
  const args = ['check', '--write', '--linter-enabled=false', ...paths.filter(path => path.endsWith('.ts'))];
  spawnSync('npx', ['biome', ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const path of paths) console.log(`wrote ${path}`);
  for (const next of scaffold.next) console.log(`next: ${next}`);
}
