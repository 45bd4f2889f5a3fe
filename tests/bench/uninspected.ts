import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright';
import type { App } from '../e2e/kit.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';

const patience = 60_000;

/** Asks something of a page, beside what Playwright knows of. */
type Ask = (method: string, params?: object) => Promise<unknown>;

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Asks things of a page with nothing enabled in it but what is asked for. */
async function askOf(browser: CDPSession, targetId: string): Promise<Ask> {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  browser.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const { id = 0, result, error } = JSON.parse(event.message) as Answer;
    if (error === undefined) asked.get(id)?.resolve(result);
    else asked.get(id)?.reject(new Error(error.message));
  });
  return async (method, params = {}) => {
    const answer = Promise.withResolvers<unknown>();
    const id = asked.size + 1;
    asked.set(id, answer);
    const message = JSON.stringify({ id, method, params });
    await browser.send('Target.sendMessageToTarget', { sessionId, message });
    return answer.promise;
  };
}

/**
 * Opens a list in a browser that has nothing in its cache, waits until every row is there, and gives what the page noted.
 * Not as a page of Playwright's, which it inspects: Chromium then reads a script once more for the first error that is
 * made while it runs (React makes some as it begins), 22 ms of 40 that nobody has whose developer tools are closed.
 */
export async function openUninspected(
  browser: Browser,
  { app, path }: { readonly app: App; readonly path: string },
  rows: number,
): Promise<PageMarks> {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  try {
    const cookies = [...app.client.cookies].map(([name, value]) => ({ name, value, url: app.url }));
    await cdp.send('Storage.setCookies', { cookies, browserContextId });
    const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const ask = await askOf(cdp, targetId);
    await ask('Page.enable');
    await ask('Emulation.setDeviceMetricsOverride', {
      width: 1440,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await ask('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(instrumentPage)})(${rows})` });
    // A new window loads parts of the browser's own beside the page, half a second of a core: whoever opens a page has a window.
    await wait(1_500);
    await ask('Page.navigate', { url: path });
    const marks = async () => {
      const answer = await ask('Runtime.evaluate', { expression: 'JSON.stringify(window.marks)' });
      return JSON.parse(
        (answer as { readonly result: { readonly value: string } }).result.value,
      ) as PageMarks;
    };
    const until = performance.now() + patience;
    while ((await marks()).allRows === undefined) {
      if (performance.now() > until)
        throw new Error(`The page did not show its ${rows} rows within a minute.`);
      await wait(500);
    }
    // Tasks that were waiting for the rows belong to loading them.
    await wait(500);
    return await marks();
  } finally {
    await cdp.send('Target.disposeBrowserContext', { browserContextId });
    await cdp.detach();
  }
}
