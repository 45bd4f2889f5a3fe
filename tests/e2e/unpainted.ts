import type { BrowserContext, Page, TestInfo } from 'playwright/test';

/** The window of a page that is not painted. */
interface UnpaintedWindow {
  unpainted?: CSSStyleSheet;
}

/**
 * Keeps the browser from painting the pages of a context. They are laid out, hit by the pointer and read by assistive
 * technology as ever; their picture, which no journey looks at, is a part of the work of each.
 */
export async function leaveUnpainted(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== window.top) return;
    // The page's policy forbids inline styles; this is none.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { opacity: 0 !important; }');
    (window as UnpaintedWindow).unpainted = sheet;
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Runs what reads colours or takes a picture while the page is painted. */
export async function whilePainted<T>(page: Page, run: () => Promise<T>): Promise<T> {
  const paint = (isPainted: boolean): Promise<void> =>
    page.evaluate((value) => {
      const sheet = (window as UnpaintedWindow).unpainted;
      if (sheet !== undefined) sheet.disabled = value;
    }, isPainted);
  await paint(true);
  try {
    return await run();
  } finally {
    await paint(false);
  }
}

/** Attaches a picture of each page of a test that failed. */
export async function pictureOfFailure(context: BrowserContext, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  for (const page of context.pages()) {
    // A page that has crashed or hangs has no picture; what the test says matters more.
    const body = await whilePainted(page, () => page.screenshot({ timeout: 5_000 })).catch(() => undefined);
    if (body !== undefined) await info.attach('screenshot', { body, contentType: 'image/png' });
  }
}
