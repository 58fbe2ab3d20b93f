import { type Finding, SEVERITIES } from '../model/finding.ts';

/** A line by itself that means that nothing was found, or nothing that would have to be put right. */
const CLEAN = /^(no findings|no blocking findings|no findings\. ready to enable auto-merge)\.?$/i;

const MARKED =
  /^(?:[-*+]|\d+[.)])?\s*(?:#{1,6}\s+)?\W{0,3}(critical|high|medium|low)\W{0,3}\s*[:—–-]\s*(.+)$/i;

/**
 * A review in words. What is found counts wherever it stands, and a line that says that there is nothing does not take
 * it back; such a line counts only where it stands alone, outside of quotes and examples. Null where neither is there.
 */
export function readWords(text: string): readonly Finding[] | null {
  const lines = getOwnLines(text);
  const findings = lines.flatMap(line => {
    const [, word = '', claim = ''] = MARKED.exec(line) ?? [];
    const severity = SEVERITIES.find(one => one === word.toLowerCase());
    const none = { file: null, line: null, quote: '', criterion: null, test: null };
    return severity && claim ? [{ severity, claim: claim.replace(/^[*_\s]+/, '').trim(), ...none }] : [];
  });
  if (findings.length > 0) return findings;
  return lines.some(line => CLEAN.test(line)) ? [] : null;
}

/** What the reviewer says itself, line by line: neither what it quotes nor what stands between fences. */
function getOwnLines(text: string): readonly string[] {
  let isFenced = false;
  return text.split(/\r?\n/).flatMap(line => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFenced || isFence || /^\s*>/.test(line) ? [] : [line.replace(/^[\s*_#]+|[\s*_]+$/g, '')];
  });
}
