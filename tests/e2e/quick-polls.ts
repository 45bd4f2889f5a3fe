import type { Browser } from 'playwright/test';

/** The parts of Playwright's own side of a page that are used here. They are not documented. */
interface OwnSide {
  mainFrame(): { utilityContext(): Promise<ExecutionContext> };
}
interface ExecutionContext {
  injectedScript: (
    this: ExecutionContext,
  ) => Promise<{ evaluate(run: (script: Injected) => void): Promise<void> }>;
}
interface Injected {
  ariaSnapshotForExpectFailure?: () => undefined;
}

/**
 * Makes expectations cheap while they do not hold yet, in all pages that this process opens from here on.
 *
 * Playwright describes the whole page to itself at each look that finds something else than expected, in case it is the
 * last one: a fifth of what a page did in a journey, and in the way of what the test waits for. The page is described
 * once more where a test fails, so nothing is lost. Throws where Playwright is built in another way.
 */
export async function quickenPolls(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  // oxlint-disable-next-line no-underscore-dangle -- Playwright's own name
  const { _connection: connection } = page as unknown as { _connection?: { toImpl?(of: object): OwnSide } };
  const context = await connection?.toImpl?.(page).mainFrame().utilityContext();
  if (context === undefined)
    throw new Error('Playwright has changed: see whether quick-polls.ts is still needed.');
  const prototype = Object.getPrototypeOf(context) as ExecutionContext;
  const inject = prototype.injectedScript;
  const prepared = new WeakMap<ExecutionContext, ReturnType<typeof inject>>();
  prototype.injectedScript = function injectQuietly() {
    const known = prepared.get(this);
    if (known !== undefined) return known;
    const script = inject.call(this).then(async (handle) => {
      await handle.evaluate((injected) => {
        if (injected.ariaSnapshotForExpectFailure === undefined)
          throw new Error('Playwright has changed: see whether quick-polls.ts is still needed.');
        injected.ariaSnapshotForExpectFailure = () => undefined;
      });
      return handle;
    });
    prepared.set(this, script);
    return script;
  };
  await page.close();
}
