import { describe, expect, it } from 'vitest';
import { makeProof } from '../../../test/support/proofs.ts';
import { getProofHtml } from './proof-html.ts';

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>' \u001b[31m`;

function makeEvil() {
  const proof = makeProof();
  const [check] = proof.record.checks;
  if (check) Object.assign(check, { summary: EVIL, findings: [EVIL], commands: [EVIL] });
  for (const run of proof.record.runs) Object.assign(run, { command: EVIL, purpose: EVIL });
  proof.statement.task.id = EVIL;
  proof.statement.tests.own.after = { passed: [EVIL] };
  proof.statement.tests.suite.changes = [{ id: EVIL, before: null, after: 'passed' }];
  proof.statement.files.tests = { [EVIL]: '0' };
  proof.record.tools = { [EVIL]: EVIL };
  return proof;
}

describe('the page of a proof', () => {
  it('shows whatever an agent wrote as text, and nothing else', () => {
    const page = getProofHtml({ proof: makeEvil(), landed: null, problems: [EVIL] });
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>[^&]/);
    expect(page).not.toContain('\u001b');
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(8);
  });

  it('needs nothing from anywhere, and may load nothing', () => {
    const page = getProofHtml({ proof: makeProof(), landed: null, problems: [] });
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(page).not.toMatch(/https?:|src=|href=|url\(|@import/);
  });

  it('does not look like a good one when the proof cannot be believed', () => {
    const page = getProofHtml({ proof: makeProof(), landed: null, problems: ['it was edited'] });
    expect(page).toContain('class="verdict failed"');
    expect(page).toContain('Not to be believed: it was edited');
  });
});
