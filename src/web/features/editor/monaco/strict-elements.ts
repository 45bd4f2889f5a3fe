import { createSheetElement } from '../../../kit/sheet-element.ts';

/**
 * Rewrites of calls in the editor's library that this page's Content-Security-Policy refuses. The build puts them into
 * the library (`src/build/monaco-policy.ts`).
 */

/** Markup, or what a browser with trusted types makes of it. */
interface Markup {
  toString(): string;
}

/** In place of `document.createElement('style')`. */
export function createStyle(): HTMLElement {
  return createSheetElement((name) => document.createElement(name));
}

/** A tag up to its `style` attribute: in the library's markup nothing outside of tags holds `<`, and nothing inside. */
const styleOfTag = /(<\w[^<>]*\s)style="/g;

/**
 * HTML as nodes whose styles are set through their style objects. The attribute is renamed before it is parsed: the
 * policy refuses it even in a template.
 * @param html the library's own markup, in which it escapes the text that is edited
 */
function parse(html: Markup): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html.toString().replaceAll(styleOfTag, '$1data-css="');
  const content = document.adoptNode(template.content);
  for (const element of content.querySelectorAll<HTMLElement>('[data-css]')) {
    element.style.cssText = element.dataset['css'] ?? '';
    element.removeAttribute('data-css');
  }
  return content;
}

/** In place of `element.innerHTML = html`. */
export function setHtml(element: Element, html: Markup): void {
  element.replaceChildren(parse(html));
}

/** In place of `element.insertAdjacentHTML('afterend', html)`. */
export function insertHtmlAfter(element: Element, html: Markup): void {
  element.after(parse(html));
}
