import { expect, it } from 'vitest';
import { getPackageChanges } from './manifest.ts';

it('takes over what a package.json says of the package, and nothing that it says of tools', () => {
  const before = { name: 'shop', scripts: { test: 'jest' }, jest: { bail: true } };
  const after = { name: 'shop', bin: { shop: 'bin/shop.js' }, scripts: { test: 'true' }, mocha: {} };
  const text = getPackageChanges('package.json', JSON.stringify(before), JSON.stringify(after));
  expect(JSON.parse(text ?? '')).toEqual({ ...before, bin: { shop: 'bin/shop.js' } });
});

it('takes over every section of a pyproject.toml but those of tools', () => {
  const before = '[project]\nname = "shop"\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const after =
    '[project]\nname = "shop"\n[project.scripts]\nshop = "shop:main"\n[tool.pytest.ini_options]\naddopts = "-k no"\n[tool.x]\n';
  const text = getPackageChanges('pyproject.toml', before, after) ?? '';
  expect(text).toContain('[project.scripts]\nshop = "shop:main"');
  expect(text).toContain('addopts = "-q"');
  expect(text).not.toContain('[tool.x]');
});

it.each([
  ['.mocharc.json', '{}', '{}'],
  ['package.json', '{}', '{'],
])('has nothing to say of %s', (path, before, after) => {
  expect(getPackageChanges(path, before, after)).toBeNull();
});
