import { createSheetElement } from '../../kit/sheet-element.ts';

/**
 * The terminal's library writes `<style>` elements and `style` attributes, which this page's Content-Security-Policy
 * refuses. These stand-ins put the same rules where the policy allows them: into constructed style sheets and the
 * style objects of elements.
 */

type CreateElement = (name: string, options?: ElementCreationOptions) => HTMLElement;

/** A span whose `style` attribute is written through its style object. */
function createSpan(create: CreateElement): HTMLElement {
  const element = create('span');
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return element;
}

const creator =
  (create: CreateElement): CreateElement =>
  (name, options) =>
    name === 'style'
      ? createSheetElement(create)
      : name === 'span'
        ? createSpan(create)
        : create(name, options);

/** The document, but for what it creates. */
export function createStrictDocument(): Document {
  const createElement = creator(document.createElement.bind(document));
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, name, target);
      // Methods of the document work on nothing but itself.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** Runs a function in which the document creates elements without inline styles. */
export function withStrictElements(run: () => void): void {
  const create = document.createElement.bind(document);
  document.createElement = creator(create);
  try {
    run();
  } finally {
    // Uncovers the document's own again.
    Reflect.deleteProperty(document, 'createElement');
  }
}
