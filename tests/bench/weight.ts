import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright';
import { close, inBrowser, open, patience } from './opened.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';
import type { Figure } from './report.ts';

/** A script or style sheet of the page. */
interface Fetched {
  /** Size with its headers as it was sent, bytes. */
  readonly bytes: number;
  /** When it had arrived, ms since the navigation began. */
  readonly arrived: number;
}

/** Time after the navigation until which a first visitor touches nothing, ms. */
const idleTime = 6_000;

/** The scripts and style sheets that a page fetches from here on; fonts do not count. */
async function watchWeight(page: Page): Promise<readonly Fetched[]> {
  const session = await page.context().newCDPSession(page);
  const asked = new Set<string>();
  const fetched: Fetched[] = [];
  let began = 0;
  session.on('Network.requestWillBeSent', ({ requestId, timestamp, type }) => {
    if (type === 'Document') began = timestamp;
    if (type === 'Script' || type === 'Stylesheet') asked.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    if (asked.has(requestId))
      fetched.push({ bytes: encodedDataLength, arrived: (timestamp - began) * 1_000 });
  });
  await session.send('Network.enable');
  return fetched;
}

const sum = (files: readonly Fetched[]) => files.reduce((total, { bytes }) => total + bytes, 0);

/** Bytes of script and style that a first visitor of a list fetches before its first row, and within six idle seconds. */
export function measureWeight(): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const opened = await open(folder, 200, 0);
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await opened.app.enter(context);
      await context.addInitScript(instrumentPage, 200);
      const page = await context.newPage();
      const files = await watchWeight(page);
      await page.goto(opened.path, { waitUntil: 'commit' });
      await page.waitForFunction(
        () => (window as unknown as { marks?: PageMarks }).marks?.firstRow !== undefined,
        undefined,
        { timeout: patience },
      );
      await wait(idleTime);
      const marks = await page.evaluate(() => (window as unknown as { marks: PageMarks }).marks);
      const firstRow = marks.firstRow ?? Number.NaN;
      const before = files.filter(({ arrived }) => arrived <= firstRow);
      return [
        {
          name: 'script and style before the first row',
          value: sum(before) / 1_000,
          unit: 'KB',
          atMost: 200,
        },
        {
          name: 'script and style after six idle seconds',
          value: sum(files) / 1_000,
          unit: 'KB',
          atMost: 300,
        },
      ];
    } finally {
      await close(opened);
    }
  });
}
