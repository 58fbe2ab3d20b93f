import { isObject, parseJson } from '../core/base/json.ts';
import { getStubLine } from '../core/code/stub-mark.ts';
import type { PlanLanguage, PlannedTask } from '../core/decide/plan.ts';
import type { RunnerKind } from '../core/model/testing.ts';
import { RUNNERS } from '../core/testing/runners.ts';

/** The least that a project needs to be tested, for a folder with nothing in it; no packages to install first. */
export function getScaffold(
  language: PlanLanguage,
  project: string,
  manifest: string | null = null,
): readonly PlanFile[] {
  const name = getPackageName(project);
  switch (language) {
    case 'node': {
      return [
        { path: 'package.json', text: getManifest(name, manifest) },
        { path: '.gitignore', text: 'node_modules/\ncoverage/\n' },
      ];
    }
    case 'python':
      return [
        {
          path: 'pyproject.toml',
          text: `[project]\nname = "${name}"\nversion = "0.1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n\n[tool.ruff]\nline-length = 110\n`,
        },
        { path: 'requirements-dev.txt', text: 'pytest\nruff\n' },
        { path: '.gitignore', text: '__pycache__/\n.pytest_cache/\n.ruff_cache/\n.venv/\n' },
      ];
    case 'go':
      return [{ path: 'go.mod', text: `module ${name}\n\ngo 1.21\n` }];
    case 'rust':
      return [
        { path: 'Cargo.toml', text: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n` },
        { path: 'src/lib.rs', text: '' },
        { path: '.gitignore', text: 'target/\n' },
      ];
    case 'other':
      return [];
  }
}

/** A manifest that is there keeps all that is in it, and gets what it lacks to be tested. */
function getManifest(name: string, before: string | null): string {
  const own = before === null ? {} : parseManifest(before);
  if (own === null) return before ?? '';
  const scripts = own.scripts ?? {};
  const hasTest = scripts.test !== undefined && !scripts.test.includes('no test specified');
  const next = {
    ...(before === null ? { name, version: '0.1.0' } : {}),
    ...{ private: true, type: 'module' },
    ...own,
    scripts: hasTest ? scripts : { ...scripts, test: 'node --test' },
  };
  return `${JSON.stringify(next, null, 2)}\n`;
}

/** Null for what npm could not read either. */
function parseManifest(text: string): { readonly scripts?: Readonly<Record<string, string>> } | null {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isObject(value) ? value : null;
}

function getPackageName(project: string): string {
  const name = project
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
  return name || 'project';
}

/** A file that a plan brings into the project. */
export interface PlanFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

/**
 * A test that fails until somebody writes the real one; null for runners that tell files apart by an
 * exit code alone, or compile them together: there one red stub would hide whatever else breaks.
 */
export function getStub(task: PlannedTask, runner: RunnerKind, isModule: boolean): string | null {
  const { id, title, test_file: file } = task;
  return RUNNERS[runner].getStub?.({ file, note: getStubLine(id), task: id, title, isModule }) ?? null;
}
