import { matchesAny } from './glob.ts';
import { getBaseName } from './tree-path.ts';

/** More than people put into a repository by hand. */
const MAX_BYTES = 5 * 1024 ** 2;

const COPIES: readonly string[] = ['~', '.orig', '.rej', '.bak', '.old', '.swp', '.swo', '.tmp'];

/** What tools make again whenever they are run. */
const TOOLS: readonly string[] = [
  '**/{node_modules,__pycache__,.pytest_cache,.mypy_cache,.venv,.nyc_output}/**',
  '**/{.DS_Store,Thumbs.db,desktop.ini,nohup.out,npm-debug.log*,yarn-error.log,.#*,*.rej}',
];

/** What tools leave behind and nobody means to commit, by its content or by what lies beside it; null for anything else. */
export function getLeftover(path: string, text: string, files: ReadonlySet<string>): string | null {
  const name = getBaseName(path);
  const isElf = text.startsWith('\x7fELF');
  if (isElf && text.charCodeAt(16) === 4) return 'a core dump';
  if (isElf && !name.includes('.node') && !name.includes('.so')) return 'a compiled program';
  if (text.startsWith('b0VIM')) return 'the swap file of an editor';
  const ending = COPIES.find(each => name.endsWith(each));
  const origin = path.slice(0, path.length - (ending?.length ?? 0));
  if (ending && files.has(origin)) return `a copy that was left beside ${origin}`;
  if (matchesAny(path, TOOLS)) return 'made by a tool, which makes it again';
  if (text.length > MAX_BYTES) return `${Math.round(text.length / 1024 ** 2)} MB large`;
  return null;
}
