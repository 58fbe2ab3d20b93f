export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** How much of a site is looked at. Whatever it does, there is an end. */
export const SITE_LIMITS = {
  pages: 5,
  viewports: [
    { width: 1440, height: 1000 },
    { width: 390, height: 844 },
  ] as readonly Viewport[],
  openMs: 20_000,
  pageMs: 60_000,
  allMs: 300_000,
  answerBytes: 10 * 1024 * 1024,
  allBytes: 50 * 1024 * 1024,
  robotsBytes: 512 * 1024,
  robotsMs: 5_000,
};

export type SiteLimits = typeof SITE_LIMITS;

/** How much of one page is written down. */
export const PAGE_LIMITS = {
  headings: 80,
  links: 140,
  controls: 120,
  forms: 20,
  landmarks: 80,
  textLetters: 12_000,
  lineLetters: 300,
  urlLetters: 2_000,
};

/** `390x844`, or null for what is none. */
export function readViewport(text: string): Viewport | null {
  const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) return null;
  const viewport = { width: Number(width), height: Number(height) };
  return Object.values(viewport).every(side => side >= 100 && side <= 4_000) ? viewport : null;
}
