import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawRecording } from '../../scripts/recording/draw-recording.ts';

const SVG = 'docs/demo.svg';
const MAX_BYTES = 150_000;

it('the recording in the README is small, plays in light and dark, and ends with what came of the demo', () => {
  const svg = readFileSync(SVG, 'utf8');
  expect(readFileSync('README.md', 'utf8')).toContain(SVG);
  expect(statSync(SVG).size).toBeLessThan(MAX_BYTES);
  for (const part of [
    'prefers-color-scheme:dark',
    'prefers-reduced-motion',
    'kill -9',
    'none of those landed',
  ])
    expect(svg).toContain(part);
});

it('a recording keeps each line at its time, its colours by class and its columns in place', () => {
  const svg = drawRecording('two lines', [
    { atMs: 0, text: '\x1b[1m1  Tom & Ann\x1b[22m' },
    { atMs: 2_000, text: '   \x1b[31m✘ no\x1b[39m, <nothing> was changed' },
  ]);
  expect(svg).toContain('20.00%{transform:translateY(36px)}');
  expect(svg).toMatch(
    /<tspan x="0" class="b">1<\/tspan>.*<tspan x="23.4"[^>]*class="b">Tom &amp; Ann<\/tspan>/,
  );
  expect(svg).toMatch(/class="r">✘<\/tspan><tspan[^>]*class="r"> no<\/tspan>/);
  expect(svg).toContain(', &lt;nothing&gt; was changed');
});
