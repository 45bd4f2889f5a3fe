/**
 * Looks like a style element to a library that makes one; its text becomes a constructed style sheet of the document,
 * which this page's Content-Security-Policy allows where it refuses `<style>`.
 */
export function createSheetElement(create: (name: 'span') => HTMLElement): HTMLElement {
  const element = create('span');
  element.hidden = true;
  const sheet = new CSSStyleSheet();
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (css: string) => {
      text = css;
      sheet.replaceSync(css);
    },
  });
  Object.defineProperty(element, 'sheet', { value: sheet });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return element;
}
