import type { AlteredTest } from '../../ports/index.ts';
import type { Bindings } from './js-expectations.ts';

/** Go and Rust have no parser here: their files get tests that must fail, and nothing else is altered. */
export function getWithNonce(path: string, text: string, nonce: string): AlteredTest | null {
  const word = nonce.replace(/\W/g, '');
  const added = path.endsWith('_test.go')
    ? getGoTest(text, `Test${word[0]?.toUpperCase()}${word.slice(1)}`)
    : path.endsWith('.rs')
      ? { name: `fails_${word}`, text: `\n#[test]\nfn fails_${word}() {\n    panic!("${word}");\n}\n` }
      : null;
  if (!added) return null;
  const altered = text + added.text;
  return { text: altered, textWithNonces: altered, nonceNames: [added.name], alterations: 0, tests: [] };
}

function getGoTest(text: string, name: string): { name: string; text: string } | null {
  const found = /^\s*(?:import\s+)?(?:([\w.]+)\s+)?"testing"\s*$/m.exec(text);
  if (!found) return null;
  const alias =
    found[1] === undefined || found[1] === 'import' ? 'testing.' : found[1] === '.' ? '' : `${found[1]}.`;
  return { name, text: `\nfunc ${name}(t *${alias}T) {\n\tt.Fatal("${name}")\n}\n` };
}

/** What was seen of the file's own way to write tests. */
export interface Used {
  /** The name of the first test function called. */
  test: string | null;
  only: boolean;
  /** How assertions are called in this file. */
  readonly chains: string[];
}

/** Tests that must fail, in the file's own way of writing tests: one throws, one asserts. */
export function getNonceTests(
  used: Used,
  bindings: Bindings,
  nonce: string,
): { readonly text: string; readonly names: readonly string[] } {
  if (used.test === null) return { text: '', names: [] };
  const define = used.only ? `${used.test}.only` : used.test;
  const given = used.chains.find(chain => /^t\.(?:\w+\.)?(?:is|same|\w*equal)$/i.test(chain));
  if (given) {
    // Where a runner hands out the assertions, one that is thrown past it may end all of them.
    const name = `${nonce} 1`;
    return { text: `\n;${define}('${name}', t => { ${given}(1, 2); t.end?.(); });\n`, names: [name] };
  }
  const assertion = getFalseAssertion(used.chains, bindings);
  const bodies = [`throw new Error('${nonce}');`, ...(assertion === null ? [] : [assertion])];
  const names = bodies.map((_, i) => `${nonce} ${i + 1}`);
  const tests = bodies.map((body, i) => `${define}('${names[i]}', () => { ${body} });`);
  return { text: `\n;${tests.join('\n')}\n`, names };
}

/** The assertion that the file uses most plainly, made to fail. */
function getFalseAssertion(chains: readonly string[], { assertFunctions }: Bindings): string | null {
  for (const chain of chains) {
    const parts = chain.split('.');
    const last = parts.at(-1) ?? '';
    if (parts[0] === 'expect' && /^to[A-Z]/.test(last)) return 'expect(1).toBe(2);';
    if (parts[0] === 'expect') return 'expect(1).to.equal(2);';
    if (parts.length === 1 && assertFunctions.has(chain)) return `${chain}(1, 2);`;
    if (parts.length > 1 && /equal$/i.test(last)) return `${chain}(1, 2);`;
  }
  return chains.some(chain => chain === 'assert') ? 'assert(1 === 2);' : null;
}
