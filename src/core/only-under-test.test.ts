import { describe, expect, it } from 'vitest';
import { getLonelyLines, isViteProject } from './only-under-test.ts';

const FILES = ['till.py', 'shop/tax.py', 'tests/pricing.py', 'tests/test_till.py', 'src/tax.js'];

function judge(path: string, text: string, isViteProject = false) {
  const around = {
    files: new Set(FILES),
    isTest: (file: string) => file.startsWith('tests/'),
    isViteProject,
  };
  const lines = text.split('\n').map((_, i) => i + 1);
  return getLonelyLines(path, text, lines, around).map(({ line }) => line);
}

describe('product code that works only under the runner of its tests', () => {
  it.each([
    ['till.py', 'import json\n\nfrom pricing import add_tax', [3]],
    ['shop/tax.py', '    import pricing', [1]],
    ['src/till.js', 'return import.meta.env ? 1 : 2;', [1]],
    ['src/till.js', "import { tax } from '/src/tax.js';", [1]],
    ['src/till.js', "const { tax } = await import('/src/tax.js');", [1]],
  ])('%s: %s is seen', (path, text, lines) => {
    expect(judge(path, text)).toEqual(lines);
  });

  it.each([
    ['till.py', 'import requests, os\nfrom shop import tax\nimport shop.tax\nfrom . import pricing'],
    ['till.py', 'from tests.pricing import add_tax'],
    ['src/till.js', "import { tax } from './tax.js';\nimport.meta.url;"],
    ['src/till.js', "// import.meta.env is Vite's\nfetch('/src/tax.js');"],
  ])('%s: %s is not', (path, text) => {
    expect(judge(path, text)).toEqual([]);
  });

  it('knows projects that Vite serves', () => {
    expect(judge('src/till.js', "import.meta.env.DEV;\nimport '/src/tax.js';", true)).toEqual([]);
    expect(isViteProject(['web/vite.config.ts'], '')).toBe(true);
    expect(isViteProject([], '{"devDependencies":{"vite":"7"}}')).toBe(true);
    expect(isViteProject(['vitest.config.ts'], '{"devDependencies":{"vitest":"4"}}')).toBe(false);
  });
});
