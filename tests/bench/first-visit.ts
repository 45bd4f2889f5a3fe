import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright';
import type { App } from '../e2e/kit.ts';
import { kubeconfigOf } from '../e2e/kubeconfigs.ts';
import { startFaultProxy } from '../server/live/fault-proxy.ts';
import { inBrowser, patience, startConsole, windowLoads } from './opened.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';
import { startCluster } from './processes.ts';
import { type Figure, quantile } from './report.ts';

/** Pods of the cluster, which an API server gives in ten pages. */
const pods = 5_000;
/** What an API server takes for a page of 500 beside what the playground takes, ms: a real 1.36 took 3 to 4 s for ten. */
const pagePace = 330;
/** Visits, each the first of its cluster; the median counts. */
const visits = 5;

/** Opens the pods of a cluster that nobody has looked at, in a browser with nothing in its cache. */
async function visit(browser: Browser, app: App, clusterId: number): Promise<PageMarks> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    await app.enter(context);
    await context.addInitScript(instrumentPage, pods);
    const page = await context.newPage();
    await wait(windowLoads);
    const isComplete = page.waitForEvent('console', {
      predicate: (message) => message.text() === 'All rows are shown.',
      timeout: patience,
    });
    await page.goto(`${app.url}/clusters/${clusterId}/pods`, { waitUntil: 'commit' });
    await isComplete;
    return await page.evaluate(() => (window as unknown as { marks: PageMarks }).marks);
  } finally {
    await context.close();
  }
}

/**
 * How soon a list shows that nobody watched before, over a cluster that gives its pages at the pace of a real one. Each
 * visit is of the same cluster under another name: the console knows nothing of it.
 */
export function measureFirstVisit(): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const cluster = await startCluster(folder, pods);
    const proxy = await startFaultProxy(cluster);
    const readings: number[] = [];
    let began = 0;
    proxy.beforePage(async (page) => {
      const asked = performance.now();
      if (page === 1) began = asked;
      await wait(pagePace);
      if (page === pods / 500) readings.push(performance.now() - began);
    });
    const app = await startConsole();
    try {
      const marks: PageMarks[] = [];
      for (let at = 1; at <= visits; at += 1) {
        const name = `visit-${at}`;
        const { id } = await app.client.call('addCluster', {
          body: {
            name,
            description: '',
            kubeConfigContent: kubeconfigOf(proxy, [
              { name, server: proxy.server, user: { token: cluster.token } },
            ]),
          },
        });
        marks.push(await visit(browser, app, id));
      }
      const median = (of: (one: PageMarks) => number | undefined) =>
        quantile(
          marks.map((one) => of(one) ?? Number.NaN),
          0.5,
        );
      return [
        { name: 'ten pages of 500 at a real pace', value: quantile(readings, 0.5), unit: 'ms' },
        {
          name: 'first visit to first row',
          value: median(({ firstRow }) => firstRow),
          unit: 'ms',
          atMost: 1_200,
          by: 'paint',
        },
        { name: `first visit to all ${pods} rows`, value: median(({ allRows }) => allRows), unit: 'ms' },
      ];
    } finally {
      await app.product.remove();
      await proxy.close();
      await cluster.end();
    }
  });
}
