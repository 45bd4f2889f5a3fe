import { readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type CDPSession, chromium, type Page } from 'playwright';
import { ensureChromium } from '../e2e/chromium.ts';
import { startApp } from '../e2e/kit.ts';
import { measuredProduct } from './checkout.ts';
import { type Feed, feedLog } from './log-feed.ts';
import { startCluster } from './processes.ts';
import type { Figure } from './report.ts';

const patience = 180_000;
const megabyte = 1024 * 1024;

const feedOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { feed: { sent: number } }).feed.sent);

async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Runs something; gives the share of the main thread meanwhile (percent) and the lines that came, a second. */
async function during(page: Page, session: CDPSession, run: () => Promise<void>) {
  const [before, sent, from] = [await metricsOf(session), await feedOf(page), performance.now()];
  await run();
  const [after, sentThen, took] = [await metricsOf(session), await feedOf(page), performance.now() - from];
  const share = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) / took) * 1e5;
  return {
    task: share('TaskDuration'),
    script: share('ScriptDuration'),
    rate: ((sentThen - sent) / took) * 1000,
  };
}

/** Scrolls for some time; gives frames a second and the longest gap between two, ms. */
async function scrolling(page: Page, seconds: number, by: number) {
  return await page.evaluate(
    async ([ms, step]) => {
      const log = document.querySelector('[role=log]');
      const frames: number[] = [];
      const began = performance.now();
      await new Promise<void>((done) => {
        const frame = (now: number) => {
          frames.push(now);
          log?.scrollBy(0, step);
          if (now - began < ms) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
      return { rate: (frames.length / (performance.now() - began)) * 1000, worst: Math.max(...gaps) };
    },
    [seconds * 1000, by] as const,
  );
}

/** While nobody scrolls: how often the uppermost whole line becomes another one. */
async function jumps(page: Page, seconds: number): Promise<number> {
  return await page.evaluate(async (ms) => {
    const log = document.querySelector('[role=log]');
    const top = () => {
      if (log === null) return '';
      const { top: edge } = log.getBoundingClientRect();
      const line = [...log.querySelectorAll('[data-log-line]')].find(
        (one) => one.getBoundingClientRect().top >= edge,
      );
      return `${Math.round((line?.getBoundingClientRect().top ?? 0) - edge)} ${line?.textContent ?? ''}`;
    };
    // What is scrolled to is measured first.
    for (let still = 0, last = top(); still < 10; ) {
      await new Promise((done) => requestAnimationFrame(done));
      const now = top();
      still = now === last ? still + 1 : 0;
      last = now;
    }
    let changes = 0;
    let last = top();
    const began = performance.now();
    while (performance.now() - began < ms) {
      await new Promise((done) => requestAnimationFrame(done));
      const now = top();
      if (now !== last) changes += 1;
      last = now;
    }
    return changes;
  }, seconds * 1000);
}

/** A log of a million lines in the built page: what it costs while it comes, and what it is like to read it. */
export async function measureLogs({ rate, lines }: Feed): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  const cluster = await startCluster(folder, 10);
  const app = await startApp(
    { WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8', WHEELHOUSE_PLAYGROUND: 'off' },
    measuredProduct,
  );
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: ensureChromium(), args });
  try {
    const kubeConfigContent = await readFile(join(folder, 'playground.yaml'), 'utf8');
    const { results } = await app.client.call('addClusters', {
      body: { clusters: [{ name: 'bench', description: '', kubeConfigContent }] },
    });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await app.enter(context);
    await context.addInitScript(feedLog, { rate, lines });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`${app.url}/clusters/${results[0]?.id}/pods?view=logs&pods=bench/loud`);
    await page.locator('[data-log-line]').first().waitFor({ timeout: patience });
    const following = await during(page, session, () => wait(10_000));
    // Somebody reads: they scroll up, and what comes moves nothing.
    await page.getByRole('log').focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    const moved = await jumps(page, 3);
    const seen = { rate: 0, worst: 0 };
    const read = await during(page, session, async () => {
      Object.assign(seen, await scrolling(page, 5, -40));
    });
    await page.getByRole('button', { name: 'Follow' }).click();
    const all = Math.floor(lines / 500) * 500;
    await page.waitForFunction(
      (count) => (window as unknown as { feed: { sent: number } }).feed.sent >= count,
      all,
      { timeout: patience },
    );
    await page.getByText(`${all.toLocaleString('en')} lines`, { exact: true }).waitFor({ timeout: patience });
    for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
    const heap = ((await metricsOf(session))['JSHeapUsedSize'] ?? Number.NaN) / megabyte;
    return [
      {
        name: 'log: lines that came while it is followed',
        value: following.rate,
        unit: '/s',
        atLeast: rate * 0.9,
      },
      { name: 'log: main thread meanwhile', value: following.task, unit: '%', atMost: 50, by: 'paint' },
      { name: 'log: of it scripts', value: following.script, unit: '%' },
      { name: 'log: lines that moved under a reader', value: moved, unit: '', atMost: 0 },
      { name: 'log: frames while scrolling', value: seen.rate, unit: '/s', atLeast: 50, by: 'paint' },
      { name: 'log: longest frame while scrolling', value: seen.worst, unit: 'ms' },
      { name: 'log: main thread while scrolling', value: read.task, unit: '%' },
      { name: `log: JS heap after ${all} lines`, value: heap, unit: 'MB', atMost: 80 },
    ];
  } finally {
    await browser.close();
    await app.product.remove();
    await cluster.end();
    await rm(folder, { recursive: true, force: true });
  }
}
