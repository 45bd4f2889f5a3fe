import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Where the library keeps its modules. */
const library = /\/monaco-editor\/esm\/vs\/(.+\.js)(?:\?|$)/;

interface Mend {
  readonly pattern: RegExp;
  readonly by: string;
  /** How often the library's version writes it; another number means that it has to be looked at again. */
  readonly times: number;
}

const innerHtml: Omit<Mend, 'times'> = {
  pattern: /(\b[\w.]+)\.innerHTML = ([\w.]+);/g,
  by: 'strict.setHtml($1, $2);',
};

/** The places where the editor writes style sheets, or markup with `style` attributes, by module. */
const mends: ReadonlyMap<string, readonly Mend[]> = new Map([
  [
    'base/browser/domStylesheets.js',
    [{ pattern: /document\.createElement\('style'\)/g, by: 'strict.createStyle()', times: 1 }],
  ],
  [
    'editor/browser/view/viewLayer.js',
    [
      { ...innerHtml, times: 2 },
      {
        pattern: /(\w+)\.insertAdjacentHTML\('afterend', (\w+)\);/g,
        by: 'strict.insertHtmlAfter($1, $2);',
        times: 1,
      },
    ],
  ],
  ['editor/browser/view/domLineBreaksComputer.js', [{ ...innerHtml, times: 1 }]],
]);

/**
 * Lets the editor's library work under this page's Content-Security-Policy, which takes neither `<style>` nor `style`
 * attributes in markup: the few places that write them call `strict-elements.ts` instead. Fails the build when a place
 * is not found any more.
 */
export function monacoUnderPolicy(): Plugin {
  const strict = fileURLToPath(new URL('../web/features/editor/monaco/strict-elements.ts', import.meta.url));
  return {
    name: 'monaco-under-policy',
    transform(code, id) {
      const name = library.exec(id)?.[1];
      const wanted = name === undefined ? undefined : mends.get(name);
      if (wanted === undefined) return null;
      let mended = code;
      for (const { pattern, by, times } of wanted) {
        const found = mended.match(pattern)?.length ?? 0;
        if (found !== times)
          this.error(
            `${name ?? ''} of monaco-editor writes ${String(pattern)} ${found} times, not ${times}.`,
          );
        mended = mended.replace(pattern, by);
      }
      return { code: `import * as strict from ${JSON.stringify(strict)};\n${mended}`, map: null };
    },
  };
}
