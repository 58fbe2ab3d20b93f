import { getPageFacts, type PageFacts } from '../../core/site/page-facts.ts';
import { PAGE_LIMITS } from '../../core/site/site-limits.ts';
import type { PlaywrightContext, PlaywrightPage } from './playwright.ts';

const READ_MS = 5_000;

/** Beside the page's own scripts, which could have changed what `map` or `slice` mean. */
export async function readPageFacts(context: PlaywrightContext, page: PlaywrightPage): Promise<PageFacts> {
  const session = await context.newCDPSession(page);
  const { frameTree } = (await session.send('Page.getFrameTree')) as {
    readonly frameTree: { readonly frame: { readonly id: string } };
  };
  const { executionContextId } = (await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })) as { readonly executionContextId: number };
  const { result } = (await session.send('Runtime.evaluate', {
    expression: `(${readHere})(${JSON.stringify(PAGE_LIMITS)})`,
    contextId: executionContextId,
    returnByValue: true,
    timeout: READ_MS,
  })) as { readonly result?: { readonly value?: unknown } };
  return getPageFacts(result?.value);
}

/** Runs in the page, so it is text: what is seen of its structure, no more of it than is wanted. */
const readHere = `(limits => {
  const cut = text => String(text ?? '').replace(/\\s+/g, ' ').trim().slice(0, limits.lineLetters);
  const isSeen = node => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const find = (selector, max) => {
    const found = [];
    for (const node of document.querySelectorAll(selector)) {
      if (found.length >= max) break;
      if (isSeen(node)) found.push(node);
    }
    return found;
  };
  const getName = node => cut(node.getAttribute('aria-label') || node.labels?.[0]?.innerText ||
    node.getAttribute('placeholder') || node.innerText || node.getAttribute('title') || node.getAttribute('name'));
  const getKind = node => cut(node.getAttribute('role') ||
    (node.localName === 'input' ? 'input ' + node.type : node.localName));
  const controls = 'button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=tab],[role=switch],[role=checkbox],[role=combobox],[role=menuitem]';
  return {
    title: cut(document.title),
    headings: find('h1,h2,h3,h4,h5,h6', limits.headings)
      .map(node => ({ level: Number(node.localName[1]), text: cut(node.innerText) })),
    links: find('a[href]', limits.links).map(node => ({ text: getName(node), url: String(node.href).slice(0, 2000) })),
    controls: find(controls, limits.controls).map(node => ({ kind: getKind(node), text: getName(node) })),
    forms: find('form', limits.forms).map(node => ({
      name: cut(node.getAttribute('aria-label') || node.getAttribute('name') || node.id),
      fields: [...node.querySelectorAll(controls)].slice(0, limits.controls)
        .map(field => getKind(field) + ' ' + getName(field)),
    })),
    landmarks: find('header,nav,main,aside,footer,section[aria-label],[role=banner],[role=navigation],[role=main],[role=search],[role=region]', limits.landmarks)
      .map(node => ({ kind: cut(node.getAttribute('role') || node.localName), text: cut(node.getAttribute('aria-label')) })),
    text: String(document.body?.innerText ?? '').slice(0, limits.textLetters),
  };
})`;
