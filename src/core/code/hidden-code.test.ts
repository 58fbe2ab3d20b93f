import { describe, expect, it } from 'vitest';
import { getCommentMark, getHiddenCode } from './hidden-code.ts';

function look(path: string, line: string): string | null {
  const mark = getCommentMark(path, path.startsWith('ops/') ? '#!/usr/bin/env node' : line);
  return mark && getHiddenCode(line, mark);
}

describe('getHiddenCode', () => {
  it.each([
    ['src/a.js', '// fine\u2028price = 0;'],
    ['src/a.ts', '// fine\u2029price = 0;'],
    ['src/a.py', '# fine\rprice = 0'],
    ['bin/up.sh', '# fine\rrm -r data\r'],
    ['src/a.js', 'const pri\u200dce = 1;'],
    ['src/a.go', 'pri\u200cce := 1'],
    ['src/a.js', 'const discountА = 1;'],
    ['src/a.js', 'return discоunt(price); // скидка'],
    ['src/a.js', `const sum = \`$\{рrice}\`;`],
    ['src/a.py', 'rate = a // discountА'],
    ['src/a.py', 'Ρrice = 1'],
    ['src/a.rs', "fn f<'a>(x: &'a str, prιce: u8) {}"],
    ['ops/up', '// fine\rrun();'],
    ['src/a.js', 'const discountА = скидка;'],
    ['src/a.js', '/* скидка */ const discountА = 1;'],
  ])('finds what %s hides in %j', (path, line) => {
    expect(look(path, line)).not.toBeNull();
  });

  it.each([
    ['src/a.js', 'const a = 1;\r'],
    ['src/a.js', 'const a = 1;\r\r'],
    ['README.md', 'one\u2028two and Auf\u200clage'],
    ['data.txt', '10%\r20%'],
    ['src/a.js', "const family = '👩\u200d👩\u200d👧';"],
    ['src/a.js', "const fa = 'می\u200cخواهم'; // क्\u200dष"],
    ['src/a.js', 'const скидка = 1; const цена_total = 2;'],
    ['src/a.js', "const text = 'из JSONа в APIа';"],
    ['src/a.js', 'load(); // из JSONа'],
    ['src/a.js', ' * берёт из JSONа'],
    ['src/a.py', 'берёт строку из JSONа'],
    ['src/a.py', 'load()  # из JSONа'],
    ['src/a.js', 'const APIшка = 1;'],
    ['src/a.py', 'μ = 1; Ω2 = π; x1 = σ2; Δt = 3; kΩ = 4; μs = 5'],
    ['src/a.jl', 'ρw = 1; sinα = 2; νmax = χ2; λ_max = αs'],
    ['src/a.js', 'const größe = naïve + ångström;'],
    ['README.md', 'discountА'],
  ])('lets %s have %j', (path, line) => {
    expect(look(path, line)).toBeNull();
  });
});
