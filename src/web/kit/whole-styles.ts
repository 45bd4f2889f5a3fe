import { wholeStylesMeta } from '../../contract/whole-styles.ts';

/** The sheet that is on its way, or there. Nothing is kept of one that failed: the next call asks again. */
let coming: Promise<void> | undefined;

/**
 * Resolves once the styles of everything are there. A built page begins with those of its first screen alone
 * (`src/build/first-styles.ts`); whatever else is drawn waits for these.
 */
export function wholeStyles(): Promise<void> {
  coming ??= load().catch((error: unknown) => {
    coming = undefined;
    throw error;
  });
  return coming;
}

async function load(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>(`meta[name="${wholeStylesMeta}"]`)?.content;
  if (href === undefined) return;
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.crossOrigin = '';
  sheet.href = href;
  await new Promise<void>((resolve, reject) => {
    sheet.addEventListener('load', () => resolve());
    sheet.addEventListener('error', () => {
      sheet.remove();
      // As a browser says of a module that it could not fetch.
      reject(new TypeError('Failed to fetch dynamically imported module: the style sheet.'));
    });
    document.head.append(sheet);
  });
}
