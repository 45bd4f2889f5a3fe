import { type Browser, chromium } from 'playwright';
import { ensureChromium } from '../e2e/chromium.ts';
import { quantile } from './report.ts';

/** What a reference task is like: the work that the figures measured beside it consist of. */
export type Task = 'parse' | 'sort' | 'paint';

/** How much longer each task takes on this machine than on the one whose budgets are written down; never below 1. */
export type Slowness = Readonly<Record<Task, number>>;

/** A machine as fast as the one whose budgets are written down: what two builds are compared by. */
export const asQuick: Slowness = { parse: 1, sort: 1, paint: 1 };

/** What the tasks take in a minute in which the machine of two cores that the budgets were set on is quiet; ms. */
const known: Readonly<Record<Task, number>> = { parse: 10.5, sort: 21.5, paint: 12.7 };

const rounds = 15;

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Times a task, ms; the first rounds, which the compiler still works on, are left out. */
function timed(task: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < rounds + 5; round += 1) {
    const from = performance.now();
    task();
    times.push(performance.now() - from);
  }
  return median(times.slice(5));
}

/** A list of objects as a cluster sends it, some 4 MB of JSON. */
function listText(): string {
  const labels = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`example.org/label-${at}`, `value-${at}`]),
  );
  const items = Array.from({ length: 6_000 }, (_, at) => ({
    metadata: {
      name: `service-${at}`,
      uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      labels,
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  return JSON.stringify({ items });
}

/** Names in an order that sorting has to undo, the same at each call. */
function shuffledNames(): readonly string[] {
  return Array.from({ length: 50_000 }, (_, at) => `service-${(at * 7_919) % 50_000}-${at % 97}`);
}

/** Runs in the page: replaces forty rows of ten cells, and times each change to the message after its frame; ms. */
async function paintRows(count: number): Promise<readonly number[]> {
  const table = document.createElement('table');
  document.body.append(table);
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const from = performance.now();
    const rows = Array.from({ length: 40 }, (_, row) => {
      const line = document.createElement('tr');
      for (let cell = 0; cell < 10; cell += 1) {
        const box = document.createElement('td');
        box.textContent = `row ${row} cell ${cell} round ${round}`;
        line.append(box);
      }
      return line;
    });
    table.replaceChildren(...rows);
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve());
        port1.start();
        port2.postMessage(null);
      });
    });
    times.push(performance.now() - from);
  }
  return times;
}

async function paintTime(): Promise<number> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // A frame begins as soon as there is something to draw: what is timed is work, not the phase of a clock.
  const unpaced = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];
  const browser: Browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...args, ...unpaced],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    return median((await page.evaluate(paintRows, rounds * 4)).slice(20));
  } finally {
    await browser.close();
  }
}

/** Times the tasks, ms each. */
export async function timeTasks(): Promise<Readonly<Record<Task, number>>> {
  const text = listText();
  const names = shuffledNames();
  return {
    parse: timed(() => JSON.parse(text)),
    sort: timed(() => [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))),
    paint: await paintTime(),
  };
}

/** How slow this machine is now, by tasks of the same kind as the figures. */
export async function measureSlowness(): Promise<Slowness> {
  const took = await timeTasks();
  const against = (task: Task): number => Math.max(1, took[task] / known[task]);
  return { parse: against('parse'), sort: against('sort'), paint: against('paint') };
}

/** From how many ms on a task of a page's main thread is long here: 50 ms, which the browser goes by, for a machine as slow. */
export const longTaskLimit = (slowness: Slowness): number => 50 * slowness.paint;

/** Says how slow this machine is at the moment, and so what the budgets of times are stated for. */
export function slownessSentence(slowness: Slowness): string {
  const parts = Object.entries(slowness).map(([task, times]) => `${task} ${times.toFixed(2)}`);
  return `Budgets of times and of frames are stated for a machine this slow by the reference tasks: ${parts.join(', ')}.`;
}
