import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { getCommands } from '../../core/shell/command-line.ts';
import type { Checkout } from '../project/open-checkout.ts';
import type { Checkup } from './finding.ts';

type Finding = Omit<Checkup, 'name'>;

/**
 * Whether tests of a Python project with its code in src/ would import an installed copy of it: then they say
 * nothing about the tree that is judged. Null where the question does not arise.
 */
export function checkImports({ config, configFile, places: { root } }: Checkout): Finding | null {
  const { full } = config.testing;
  const python = full === null ? null : findPython(full);
  if (full === null || python === null || /\bPYTHONPATH=/.test(full)) return null;
  const packages = findPackages(join(root, 'src'));
  if (packages.length === 0 || SETTINGS.some(name => hasPythonPath(join(root, name)))) return null;
  const program = python.includes('/') && !isAbsolute(python) ? join(root, python) : python;
  const installed = findInstalled(program, packages);
  if (installed.length === 0) return { status: 'ok', detail: `no other copy of ${packages.join(', ')}` };
  return {
    status: 'warn',
    detail: `the tests import ${installed.join(', ')}, not the src/ of the tree that is judged`,
    fix: `set testing.full in ${configFile} to: PYTHONPATH=src ${full}`,
  };
}

/** The interpreter of a plain command; tools that make an environment of their own install the tree there. */
function findPython(line: string): string | null {
  const words =
    getCommands(line)
      .at(-1)
      ?.map(({ value }) => value) ?? [];
  const program = words.find(value => !/^\w+=/.test(value)) ?? '';
  if (/(^|\/)python[\d.]*$/.test(program)) return program;
  return program === 'pytest' ? 'python3' : null;
}

function findPackages(src: string): readonly string[] {
  if (!existsSync(src)) return [];
  return readdirSync(src).filter(
    name => /^[A-Za-z_]\w*$/.test(name) && existsSync(join(src, name, '__init__.py')),
  );
}

const SETTINGS = ['pyproject.toml', 'pytest.ini', 'pytest.toml', 'setup.cfg', 'tox.ini'];

function hasPythonPath(file: string): boolean {
  return existsSync(file) && /^\s*pythonpath\s*=/m.test(readFileSync(file, 'utf8'));
}

const ASK = `import importlib.util, sys
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin: print(spec.origin)`;

/** Where Python would find the packages from a folder that has nothing to do with the project. */
function findInstalled(python: string, packages: readonly string[]): readonly string[] {
  const { PYTHONPATH: _, ...env } = process.env;
  const asked = spawnSync(python, ['-c', ASK, ...packages], { cwd: tmpdir(), env, timeout: 10_000 });
  return asked.status === 0 ? asked.stdout.toString().split('\n').filter(Boolean) : [];
}
