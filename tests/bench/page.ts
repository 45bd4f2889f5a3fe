import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { ensureChromium } from '../e2e/chromium.ts';
import { type App, startApp } from '../e2e/kit.ts';
import { openApi } from './api.ts';
import { firstListBytes } from './built-page.ts';
import { longTasksDuring } from './long-tasks.ts';
import { instrumentPage, type PageMarks } from './page-marks.ts';
import { type BenchCluster, startCluster } from './processes.ts';
import { type Figure, quantile } from './report.ts';
import { openUninspected } from './uninspected.ts';

export interface PageOptions {
  readonly pods: number;
  /** Changes a second. */
  readonly rate: number;
  readonly seconds: number;
}

const megabyte = 1024 * 1024;
const patience = 60_000;
/** Cold opens, of which the median counts. */
const opens = 5;

/** A console over one cluster, ready to be opened in a browser. */
interface Opened {
  readonly app: App;
  readonly cluster: BenchCluster;
  readonly path: string;
}

async function open(folder: string, pods: number, churn: number): Promise<Opened> {
  const cluster = await startCluster(folder, pods, churn);
  const app = await startApp({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8', WHEELHOUSE_PLAYGROUND: 'off' });
  const kubeConfigContent = await readFile(join(folder, 'playground.yaml'), 'utf8');
  const { results } = await app.client.call('addClusters', {
    body: { clusters: [{ name: 'bench', description: '', kubeConfigContent }] },
  });
  const id = results[0]?.id;
  if (id === undefined) throw new Error('The cluster was not added.');
  return { app, cluster, path: `${app.url}/clusters/${id}/pods` };
}

async function close({ app, cluster }: Opened): Promise<void> {
  await app.product.remove();
  await cluster.end();
}

const marksOf = (page: Page) => page.evaluate(() => (window as unknown as { marks: PageMarks }).marks);

/** Opens the list in a browser that has nothing in its cache, and waits until every row is there. */
async function openCold(browser: Browser, { app, path }: Opened, pods: number) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await app.enter(context);
  await context.addInitScript(instrumentPage, pods);
  const page = await context.newPage();
  // A new window loads parts of the browser's own beside the page, half a second of a core: whoever opens a page has a window.
  await wait(1_500);
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
  const field = page.getByRole('textbox', { name: 'Filter pods' });
  await field.focus();
  // Such as find many rows, few, and none.
  for (const text of ['service-12', 'status:run', 'team-07 12', 'web-1']) {
    await page.keyboard.type(text, { delay: 120 });
    for (let at = 0; at < text.length; at += 1) await page.keyboard.press('Backspace', { delay: 120 });
  }
}

async function sortColumns(page: Page): Promise<void> {
  for (const name of ['Name', 'Restarts', 'Age', 'Name']) {
    const head = page.locator('.thead').getByRole('button', { name: new RegExp(`^${name}( [↑↓])?$`) });
    for (let turn = 0; turn < 2; turn += 1) {
      await head.click();
      await wait(200);
    }
  }
}

/** From the moment a change is asked of the cluster to the frame that shows it, ms. */
async function changesOf(page: Page, cluster: BenchCluster, count: number): Promise<readonly number[]> {
  const api = openApi(cluster);
  try {
    const list = JSON.parse(await api.call('GET', '/api/v1/pods?limit=1')) as {
      items: { metadata: { namespace: string; name: string } }[];
    };
    const pod = list.items[0]?.metadata;
    if (pod === undefined) throw new Error('The cluster has no pods.');
    await page.getByRole('textbox', { name: 'Filter pods' }).fill(pod.name);
    await page
      .getByRole('row', { name: new RegExp(pod.name) })
      .first()
      .waitFor();
    const times: number[] = [];
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
      times.push((await shown) - asked);
    }
    return times;
  } finally {
    api.close();
  }
}

/** Changed rows that come to the page, a second: a figure of an idle page would mean nothing. */
async function arriving(session: CDPSession, seconds: number): Promise<number> {
  let rows = 0;
  const count = ({ response }: { response: { payloadData: string } }) => {
    if (!response.payloadData.startsWith('{"type":"changes"')) return;
    rows += (JSON.parse(response.payloadData) as { upserts: readonly unknown[] }).upserts.length;
  };
  session.on('Network.webSocketFrameReceived', count);
  await session.send('Network.enable');
  const from = performance.now();
  await wait(seconds * 1000);
  const perSecond = (rows / (performance.now() - from)) * 1000;
  // Handing the messages on to this process as well is no part of what is measured.
  await session.send('Network.disable');
  session.off('Network.webSocketFrameReceived', count);
  return perSecond;
}

/** Share of the main thread while nobody touches the page, of all its tasks and of scripts, and its long tasks. */
async function reading(page: Page, session: CDPSession, seconds: number) {
  await page.evaluate(() => {
    (window as unknown as { marks: PageMarks }).marks.longTasks.length = 0;
  });
  const share = await sharesOver(session, () => wait(seconds * 1000));
  return { ...share, longTasks: [...(await marksOf(page)).longTasks] };
}

/** Runs something and gives the shares of the main thread meanwhile, percent. */
async function sharesOver(session: CDPSession, run: () => Promise<unknown>) {
  const before = await metricsOf(session);
  const from = performance.now();
  await run();
  const after = await metricsOf(session);
  const share = (name: string) =>
    (((after[name] ?? 0) - (before[name] ?? 0)) / (performance.now() - from)) * 1e5;
  return { task: share('TaskDuration'), script: share('ScriptDuration') };
}

/** Scrolls while the rows change; gives frames a second, and what scripts and all tasks take of the thread. */
async function scrolled(page: Page, session: CDPSession, seconds: number) {
  let frames = 0;
  const shares = await sharesOver(session, async () => {
    frames = await page.evaluate(async (ms) => {
      const scroller = document.querySelector('.tbl-scroll');
      let drawn = 0;
      const began = performance.now();
      await new Promise<void>((done) => {
        const frame = () => {
          drawn += 1;
          scroller?.scrollBy(0, 60);
          if (performance.now() - began < ms) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      return drawn / ((performance.now() - began) / 1000);
    }, seconds * 1000);
  });
  return { frames, ...shares };
}

/** Runs something with a browser and a folder of its own. */
async function inBrowser(run: (browser: Browser, folder: string) => Promise<Figure[]>): Promise<Figure[]> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: ensureChromium(), args });
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  try {
    return await run(browser, folder);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The page in Chromium over a usual cluster: how soon it shows, and how soon a change does. */
export function measurePage({ pods }: { readonly pods: number }): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const opened = await open(folder, pods, 0);
    try {
      const first = await openCold(browser, opened, pods);
      const runs: PageMarks[] = [];
      for (let run = 0; run < opens; run += 1) {
        runs.push(await openUninspected(browser, opened, pods));
      }
      const heap = await heapOf(first.session);
      const painted = await changesOf(first.page, opened.cluster, 60);
      const median = (of: (marks: PageMarks) => number) => quantile(runs.map(of), 0.5);
      return [
        {
          name: 'JavaScript before the first list',
          value: (await firstListBytes()) / 1024,
          unit: 'KB',
          atMost: 170,
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
        },
        {
          name: `cold open to all ${pods} rows`,
          value: median((marks) => marks.allRows ?? Number.NaN),
          unit: 'ms',
          atMost: 1_500,
        },
        {
          name: 'long tasks while loading',
          value: median((marks) => sum(marks.longTasks)),
          unit: 'ms',
          atMost: 150,
        },
        { name: `JS heap at ${pods} rows`, value: heap / megabyte, unit: 'MB', atMost: 25 },
        { name: 'change to paint, p50', value: quantile(painted, 0.5), unit: 'ms' },
        { name: 'change to paint, p95', value: quantile(painted, 0.95), unit: 'ms', atMost: 250 },
      ];
    } finally {
      await close(opened);
    }
  });
}

/** The page over a large cluster: filtering and sorting. */
export function measureLargePage({ pods }: { readonly pods: number }): Promise<Figure[]> {
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
        { name: `long tasks while loading ${pods} rows`, value: sum(marks.longTasks), unit: 'ms' },
        { name: `JS heap at ${pods} rows`, value: heap / megabyte, unit: 'MB', atMost: 90 },
        {
          name: `filter key to paint at ${pods}, p50`,
          value: quantile(filters, 0.5),
          unit: 'ms',
          atMost: 30,
        },
        { name: `filter key to paint at ${pods}, p95`, value: quantile(filters, 0.95), unit: 'ms' },
        { name: `sort to paint at ${pods}, p50`, value: quantile(sorts, 0.5), unit: 'ms', atMost: 80 },
        { name: `sort to paint at ${pods}, p95`, value: quantile(sorts, 0.95), unit: 'ms' },
      );
    } finally {
      await close(still);
    }
    return figures;
  });
}

/** The same while it changes: what that costs the main thread, and how smoothly it scrolls. */
export function measureChangingPage({ pods, rate, seconds }: PageOptions): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const figures: Figure[] = [];
    const lively = await open(folder, pods, rate);
    try {
      const { page, session } = await openCold(browser, lively, pods);
      // CPU of the thread: other work on the machine does not count.
      await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
      await session.send('Performance.enable');
      const came = await arriving(session, Math.min(seconds, 5));
      const still = await reading(page, session, seconds);
      const scrolling = await scrolled(page, session, seconds);
      // Once more for its tasks: the trace of them would take of the frames.
      const tasks = await longTasksDuring(browser, () => scrolled(page, session, seconds));
      figures.push(
        { name: 'changes that arrive', value: came, unit: '/s', atLeast: rate * 0.9 },
        { name: `main thread at ${rate} changes/s`, value: still.task, unit: '%', atMost: 10 },
        { name: 'of it scripts', value: still.script, unit: '%' },
        { name: 'long tasks meanwhile', value: still.longTasks.length, unit: '', atMost: 0 },
        { name: 'longest of them', value: Math.max(0, ...still.longTasks), unit: 'ms' },
        { name: 'frames while scrolling', value: scrolling.frames, unit: '/s', atLeast: 57 },
        { name: 'main thread while scrolling', value: scrolling.task, unit: '%' },
        { name: 'long tasks while scrolling', value: tasks.long.length, unit: '', atMost: 0 },
        { name: 'longest of them', value: Math.max(0, ...tasks.long), unit: 'ms' },
        { name: 'tasks that waited for a core', value: tasks.waited, unit: '' },
      );
    } finally {
      await close(lively);
    }
    return figures;
  });
}
