import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright';
import type { App } from '../e2e/kit.ts';
import { patience, windowLoads } from './opened.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';

/** What a page tells by itself of what was enabled in it. */
interface Told {
  readonly id?: undefined;
  readonly method: string;
  readonly params: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** What an expression gave in the page, or why it did not. */
interface Evaluated<V> {
  readonly result: { readonly value: V };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

/** A page with nothing enabled in it but what is asked for. */
export interface Uninspected {
  /** Calls a method of the DevTools protocol. */
  readonly ask: (method: string, params?: object) => Promise<unknown>;
  /** Runs a function in the page, with what JSON can carry, and gives what it gives. Throws what it throws, as text. */
  readonly run: <Given, Result>(
    what: (given: Given) => Result | Promise<Result>,
    given: Given,
  ) => Promise<Result>;
  /** Hears an event of the DevTools protocol, until the returned function is called. */
  readonly hear: (method: string, listen: (params: unknown) => void) => () => void;
  readonly close: () => Promise<void>;
}

function talkTo(browser: CDPSession, sessionId: string): Pick<Uninspected, 'ask' | 'hear'> {
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  const heard = new Map<string, (params: unknown) => void>();
  browser.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const message = JSON.parse(event.message) as Answer | Told;
    if (message.id === undefined) heard.get(message.method)?.(message.params);
    else if (message.error === undefined) asked.get(message.id)?.resolve(message.result);
    else asked.get(message.id)?.reject(new Error(message.error.message));
  });
  return {
    ask: async (method, params = {}) => {
      const answer = Promise.withResolvers<unknown>();
      const id = asked.size + 1;
      asked.set(id, answer);
      const message = JSON.stringify({ id, method, params });
      await browser.send('Target.sendMessageToTarget', { sessionId, message });
      return answer.promise;
    },
    hear: (method, listen) => {
      heard.set(method, listen);
      return () => void heard.delete(method);
    },
  };
}

/**
 * Opens a list in a browser that has nothing in its cache and waits until every row is there. Not as a page of
 * Playwright's, which inspects its pages: Chromium reads a script once more then for the first error that is made while it
 * runs (React makes some as it begins), 22 ms of 40, and hands on a copy of each message of a socket, which nobody has
 * whose developer tools are closed.
 */
export async function openUninspected(
  browser: Browser,
  { app, path }: { readonly app: App; readonly path: string },
  rows: number,
): Promise<Uninspected> {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  const cookies = [...app.client.cookies].map(([name, value]) => ({ name, value, url: app.url }));
  await cdp.send('Storage.setCookies', { cookies, browserContextId });
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
  const { ask, hear } = talkTo(cdp, sessionId);
  const run: Uninspected['run'] = async (what, given) => {
    const expression = `(${String(what)})(${JSON.stringify(given)})`;
    const answer = await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as Evaluated<Awaited<ReturnType<typeof what>>>;
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await ask('Page.enable');
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await ask('Emulation.setDeviceMetricsOverride', size);
  await ask('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(instrumentPage)})(${rows})` });
  await wait(windowLoads);
  await ask('Page.navigate', { url: path });
  const until = performance.now() + patience;
  while ((await run(readMarks, null)).allRows === undefined) {
    if (performance.now() > until) throw new Error(`The page did not show its ${rows} rows within a minute.`);
    await wait(500);
  }
  // Tasks that were waiting for the rows belong to loading them.
  await wait(500);
  return {
    ask,
    run,
    hear,
    close: async () => {
      await cdp.send('Target.disposeBrowserContext', { browserContextId });
      await cdp.detach();
    },
  };
}

/** What a page noted of itself. */
export function notedBy(page: Uninspected): Promise<PageMarks> {
  return page.run(readMarks, null);
}

/** Runs in the page. */
const readMarks = () => (window as unknown as { marks: PageMarks }).marks;
