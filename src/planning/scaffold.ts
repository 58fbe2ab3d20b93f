import type { PlanLanguage } from '../core/plan.ts';
import type { PlanFile } from './plan-file.ts';

/** The least that a project needs to be tested, for a folder with nothing in it; no packages to install first. */
export function getScaffold(language: PlanLanguage, project: string): readonly PlanFile[] {
  const name = getPackageName(project);
  switch (language) {
    case 'node': {
      const manifest = { name, version: '0.1.0', private: true, type: 'module' };
      const text = JSON.stringify({ ...manifest, scripts: { test: 'node --test' } }, null, 2);
      return [
        { path: 'package.json', text: `${text}\n` },
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

function getPackageName(project: string): string {
  const name = project
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
  return name || 'project';
}
