import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright';
import { openApi } from './api.ts';
import { pageBytes } from './built-page.ts';
import { longerThan } from './long-tasks.ts';
import { close, inBrowser, open, type Opened, patience, windowLoads } from './opened.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';
import type { BenchCluster } from './processes.ts';
import { type Figure, quantile } from './report.ts';
import { notedBy, openUninspected } from './uninspected.ts';

const megabyte = 1024 * 1024;
/** Cold opens, and splits of a tile, of which the median counts. */
const [opens, splits] = [5, 5];

const marksOf = (page: Page) => page.evaluate(() => (window as unknown as { marks: PageMarks }).marks);

/** Opens the list in a browser that has nothing in its cache, and waits until every row is there. */
async function openCold(browser: Browser, { app, path }: Opened, pods: number) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await app.enter(context);
  await context.addInitScript(instrumentPage, pods);
  const page = await context.newPage();
  await wait(windowLoads);
  const isComplete = page.waitForEvent('console', {
    predicate: (message) => message.text() === 'All rows are shown.',
    timeout: patience,
  });
  await page.goto(path, { waitUntil: 'commit' });
  await isComplete;
  // Tasks that were waiting for the rows belong to loading them.
  await wait(500);
  return { page, marks: await marksOf(page), session: await context.newCDPSession(page) };
}

/** Live objects of the page after a collection, bytes. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  return (await metricsOf(session))['JSHeapUsedSize'] ?? Number.NaN;
}

async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Runs something and gives the time from each of its keys or clicks to the frame that shows it, ms. */
async function paintsOf(page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(() => {
    (window as unknown as { marks: PageMarks }).marks.paints.length = 0;
  });
  await act();
  await wait(300);
  return (await marksOf(page)).paints;
}

async function typeFilters(page: Page): Promise<void> {
  const field = page.getByLabel('Filter pods', { exact: true });
  await field.focus();
  // Such as find many rows, few, and none.
  for (const text of ['service-12', 'status:run', 'team-07 12', 'web-1']) {
    await page.keyboard.type(text, { delay: 120 });
    for (let at = 0; at < text.length; at += 1) await page.keyboard.press('Backspace', { delay: 120 });
  }
  // The completions of an empty filter lie over the headings.
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
}

async function sortColumns(page: Page): Promise<void> {
  for (const name of ['Name', 'Restarts', 'Age', 'Name']) {
    const head = page
      .getByRole('columnheader')
      .getByRole('button', { name: new RegExp(`^${name}( [↑↓])?$`) });
    for (let turn = 0; turn < 2; turn += 1) {
      await head.click();
      await wait(200);
    }
  }
}

/** How long the frames that showed changes took to come, ms. */
interface Painted {
  /** From the moment each was asked of the cluster. */
  readonly sinceAsked: readonly number[];
  /** From the cluster's answer to that. */
  readonly sinceAnswered: readonly number[];
}

async function changesOf(page: Page, cluster: BenchCluster, count: number): Promise<Painted> {
  const api = openApi(cluster);
  try {
    const list = JSON.parse(await api.call('GET', '/api/v1/pods?limit=1')) as {
      items: { metadata: { namespace: string; name: string } }[];
    };
    const pod = list.items[0]?.metadata;
    if (pod === undefined) throw new Error('The cluster has no pods.');
    await page.getByLabel('Filter pods', { exact: true }).fill(pod.name);
    await page
      .getByRole('row', { name: new RegExp(pod.name) })
      .first()
      .waitFor();
    const sinceAsked: number[] = [];
    const sinceAnswered: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const reason = `Bench${index}`;
      const shown = page.evaluate(
        (text) => (window as unknown as { marks: PageMarks }).marks.shown(text),
        reason,
      );
      // Anywhere between two flushes of the server.
      await wait(20 + ((index * 37) % 100));
      const asked = Date.now();
      const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/status`;
      await api.call('PATCH', path, { status: { reason } }, 'application/merge-patch+json');
      const answered = Date.now();
      const at = await shown;
      sinceAsked.push(at - asked);
      sinceAnswered.push(at - answered);
    }
    return { sinceAsked, sinceAnswered };
  } finally {
    api.close();
  }
}

/** Splits a tile with a full list in two and closes the new one, some times; gives the long tasks of each split, ms. */
async function longTasksOfSplits(page: Page, count: number): Promise<readonly (readonly number[])[]> {
  const other = page.getByLabel(/tile 2 of 2$/);
  await page.getByLabel('Filter pods', { exact: true }).fill('');
  await page.getByRole('grid').focus();
  const splits: (readonly number[])[] = [];
  for (let split = 0; split < count; split += 1) {
    await wait(500);
    const before = (await marksOf(page)).longTasks.length;
    await page.keyboard.press('Control+\\');
    await other.locator('[aria-rowindex="2"]').waitFor();
    await wait(500);
    splits.push((await marksOf(page)).longTasks.slice(before));
    await page.keyboard.press('w');
    await page.keyboard.press('q');
    await other.waitFor({ state: 'detached' });
  }
  return splits;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What pages are opened over. */
export interface LoadOptions {
  readonly pods: number;
  /** From how many ms on a task is long. */
  readonly longTask: number;
}

/** The page in Chromium over a usual cluster: how soon it shows, and how soon a change does. */
export function measurePage({ pods, longTask }: LoadOptions): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const opened = await open(folder, pods, 0);
    try {
      const first = await openCold(browser, opened, pods);
      const runs: PageMarks[] = [];
      for (let run = 0; run < opens; run += 1) {
        const page = await openUninspected(browser, opened, pods);
        runs.push(await notedBy(page));
        await page.close();
      }
      const heap = await heapOf(first.session);
      const painted = await changesOf(first.page, opened.cluster, 60);
      const ofSplits = await longTasksOfSplits(first.page, splits);
      const median = (of: (marks: PageMarks) => number) => quantile(runs.map(of), 0.5);
      return [
        {
          name: 'JavaScript before the first list',
          value: (await pageBytes()).firstList / 1024,
          unit: 'KB',
        },
        { name: 'first row, nobody watched before', value: first.marks.firstRow ?? Number.NaN, unit: 'ms' },
        {
          name: `all ${pods} rows, nobody watched before`,
          value: first.marks.allRows ?? Number.NaN,
          unit: 'ms',
        },
        {
          name: 'cold open to first row',
          value: median((marks) => marks.firstRow ?? Number.NaN),
          unit: 'ms',
          atMost: 600,
          by: 'paint',
        },
        {
          name: `cold open to all ${pods} rows`,
          value: median((marks) => marks.allRows ?? Number.NaN),
          unit: 'ms',
          atMost: 1_500,
          by: 'parse',
        },
        {
          name: 'long tasks while loading',
          value: median((marks) => sum(longerThan(longTask, marks.longTasks))),
          unit: 'ms',
          atMost: 150,
          by: 'paint',
        },
        {
          name: 'long tasks at a split',
          value: quantile(
            ofSplits.map((tasks) => sum(longerThan(longTask, tasks))),
            0.5,
          ),
          unit: 'ms',
          atMost: 0,
        },
        { name: `JS heap at ${pods} rows`, value: heap / megabyte, unit: 'MB', atMost: 25 },
        { name: 'change to paint, p50', value: quantile(painted.sinceAsked, 0.5), unit: 'ms' },
        { name: 'change to paint, p95', value: quantile(painted.sinceAsked, 0.95), unit: 'ms', atMost: 250 },
        {
          name: "cluster's answer to paint, p50",
          value: quantile(painted.sinceAnswered, 0.5),
          unit: 'ms',
          atMost: 150,
          by: 'paint',
        },
      ];
    } finally {
      await close(opened);
    }
  });
}

/** The page over a large cluster: filtering and sorting. */
export function measureLargePage({ pods, longTask }: LoadOptions): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const still = await open(folder, pods, 0);
    const figures: Figure[] = [];
    try {
      const { page, session, marks } = await openCold(browser, still, pods);
      const heap = await heapOf(session);
      const filters = await paintsOf(page, () => typeFilters(page));
      const sorts = await paintsOf(page, () => sortColumns(page));
      figures.push(
        { name: `all ${pods} rows, nobody watched before`, value: marks.allRows ?? Number.NaN, unit: 'ms' },
        {
          name: `long tasks while loading ${pods} rows`,
          value: sum(longerThan(longTask, marks.longTasks)),
          unit: 'ms',
        },
        { name: `JS heap at ${pods} rows`, value: heap / megabyte, unit: 'MB', atMost: 90 },
        {
          name: `filter key to paint at ${pods}, p50`,
          value: quantile(filters, 0.5),
          unit: 'ms',
          atMost: 30,
          by: 'sort',
        },
        { name: `filter key to paint at ${pods}, p95`, value: quantile(filters, 0.95), unit: 'ms' },
        {
          name: `sort to paint at ${pods}, p50`,
          value: quantile(sorts, 0.5),
          unit: 'ms',
          atMost: 80,
          by: 'sort',
        },
        { name: `sort to paint at ${pods}, p95`, value: quantile(sorts, 0.95), unit: 'ms' },
      );
    } finally {
      await close(still);
    }
    return figures;
  });
}
