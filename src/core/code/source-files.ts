import { matchesAny } from '../base/glob.ts';
import { getExtension } from '../base/tree-path.ts';

export const JAVASCRIPT: ReadonlySet<string> = new Set('js jsx mjs cjs'.split(' '));
export const TYPESCRIPT: ReadonlySet<string> = new Set('ts tsx mts cts'.split(' '));
export const SCRIPT: ReadonlySet<string> = new Set([...JAVASCRIPT, ...TYPESCRIPT]);

/** Languages of products that the scan of imports does not read: what is written in them is compiled or run, not read. */
const COMPILED: ReadonlySet<string> = new Set(
  'c cc cpp cs clj cljs cxx dart erl ex exs f90 fs go groovy h hh hpp hrl hs java jl kt kts lua m ml mli mm nim php pl pm r rb rs scala sol swift tcl v vb zig'.split(
    ' ',
  ),
);

/** Whether a file is code of which only its toolchain knows who uses it. */
export function isCompiled(path: string): boolean {
  return COMPILED.has(getExtension(path));
}

/** What toolchains whose reports name no files take for a test, by the rules of each. */
const TOOLCHAIN_TESTS: readonly string[] = [
  '**/*_test.go',
  '**/tests/**/*.rs',
  '**/src/test/**',
  '**/*{Test,Tests}.{java,kt,cs,php,swift}',
  '**/*_{test,spec}.{rb,dart,c,cc,cpp,ex,exs}',
  '**/test_*.{rb,c,cc,cpp}',
];

/** Whether a toolchain would take a file for a test. */
export function isToolchainTest(path: string): boolean {
  return isCompiled(path) && matchesAny(path, TOOLCHAIN_TESTS);
}
