import { setTimeout as wait } from 'node:timers/promises';
import { longerThan, longTasksDuring } from './long-tasks.ts';
import { close, inBrowser, open } from './opened.ts';
import type { Figure } from './report.ts';
import { notedBy, openUninspected, type Uninspected } from './uninspected.ts';

/** What is measured of a changing page. */
export interface PageOptions {
  readonly pods: number;
  /** Changes a second. */
  readonly rate: number;
  readonly seconds: number;
  /** From how many ms on a task is long. */
  readonly longTask: number;
}

/** A frame of a socket, of which a page tells. */
interface Frame {
  readonly response: { readonly payloadData: string };
}

/** Changed rows that come to the page, a second: a figure of an idle page would mean nothing. */
async function arriving(page: Uninspected, seconds: number): Promise<number> {
  let rows = 0;
  const end = page.hear('Network.webSocketFrameReceived', (frame) => {
    const { payloadData } = (frame as Frame).response;
    if (!payloadData.startsWith('{"type":"changes"')) return;
    rows += (JSON.parse(payloadData) as { upserts: readonly unknown[] }).upserts.length;
  });
  await page.ask('Network.enable');
  const from = performance.now();
  await wait(seconds * 1000);
  const perSecond = (rows / (performance.now() - from)) * 1000;
  // Handing the messages on to this process as well is no part of what is measured.
  await page.ask('Network.disable');
  end();
  return perSecond;
}

/** Waits, half a minute at most, for what changed while the cluster was read: it comes at once, after a moment without any. */
async function becomesSteady(page: Uninspected, rate: number): Promise<void> {
  for (let left = 15; left > 0; left -= 1) if (Math.abs((await arriving(page, 2)) - rate) < rate / 4) return;
}

async function metricsOf(page: Uninspected): Promise<ReadonlyMap<string, number>> {
  const { metrics } = (await page.ask('Performance.getMetrics')) as {
    readonly metrics: readonly { readonly name: string; readonly value: number }[];
  };
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Runs something and gives the shares of the main thread meanwhile, percent: of all its tasks, and of scripts. */
async function sharesOver(page: Uninspected, run: () => Promise<unknown>) {
  const before = await metricsOf(page);
  const from = performance.now();
  await run();
  const after = await metricsOf(page);
  const share = (name: string) =>
    (((after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)) / (performance.now() - from)) * 1e5;
  return { task: share('TaskDuration'), script: share('ScriptDuration') };
}

/** The shares while nobody touches the page, and its long tasks. */
async function reading(page: Uninspected, seconds: number, longTask: number) {
  const known = (await notedBy(page)).longTasks.length;
  const shares = await sharesOver(page, () => wait(seconds * 1000));
  return { ...shares, longTasks: longerThan(longTask, (await notedBy(page)).longTasks.slice(known)) };
}

/** Scrolls for so many ms; gives frames a second. Runs in the page. */
async function scroll(ms: number): Promise<number> {
  const scroller = document.querySelector('[data-part=rows]');
  if (scroller === null) throw new Error('The page has no list to scroll.');
  let drawn = 0;
  const began = performance.now();
  await new Promise<void>((done) => {
    const frame = () => {
      drawn += 1;
      scroller.scrollBy(0, 60);
      if (performance.now() - began < ms) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  return drawn / ((performance.now() - began) / 1000);
}

/** A page while its rows change: what that costs the main thread, and how smoothly it scrolls. */
export function measureChangingPage({ pods, rate, seconds, longTask }: PageOptions): Promise<Figure[]> {
  return inBrowser(async (browser, folder) => {
    const lively = await open(folder, pods, rate);
    try {
      const page = await openUninspected(browser, lively, pods);
      // CPU of the thread: other work on the machine does not count.
      await page.ask('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
      await page.ask('Performance.enable');
      await becomesSteady(page, rate);
      const came = await arriving(page, Math.min(seconds, 5));
      const still = await reading(page, seconds, longTask);
      let frames = 0;
      const scrolling = await sharesOver(page, async () => {
        frames = await page.run(scroll, seconds * 1000);
      });
      // Once more for its tasks: the trace of them would take of the frames.
      const tasks = await longTasksDuring(browser, longTask, () => page.run(scroll, seconds * 1000));
      return [
        { name: 'changes that arrive', value: came, unit: '/s', atLeast: rate * 0.9, atMost: rate * 1.1 },
        { name: `main thread at ${rate} changes/s`, value: still.task, unit: '%', atMost: 10, by: 'paint' },
        { name: 'of it scripts', value: still.script, unit: '%' },
        { name: 'long tasks meanwhile', value: still.longTasks.length, unit: '', atMost: 0 },
        { name: 'longest of them', value: Math.max(0, ...still.longTasks), unit: 'ms' },
        { name: 'frames while scrolling', value: frames, unit: '/s', atLeast: 57, by: 'paint' },
        { name: 'main thread while scrolling', value: scrolling.task, unit: '%' },
        { name: 'long tasks while scrolling', value: tasks.long.length, unit: '', atMost: 0 },
        { name: 'longest of them', value: Math.max(0, ...tasks.long), unit: 'ms' },
        { name: 'tasks that waited for a core', value: tasks.waited, unit: '' },
      ];
    } finally {
      await close(lively);
    }
  });
}
