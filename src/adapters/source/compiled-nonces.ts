import type { AlteredTest } from '../../ports/index.ts';

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
