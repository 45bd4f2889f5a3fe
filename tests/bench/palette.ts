import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import {
  createBest,
  kindMatches,
  type Rankable,
  rankable,
  rankQuery,
  scoreOf,
} from '../../src/registry/palette/rank.ts';
import { ensureChromium } from '../e2e/chromium.ts';
import { measuredProduct } from './checkout.ts';
import { type App, startApp } from '../e2e/kit.ts';
import { startNames, syntheticName } from './names.ts';
import { type Figure, quantile } from './report.ts';

/** What is typed, letter by letter, and taken back again. */
const queries = [
  'payments',
  'check api',
  'gateway web',
  'redis mas',
  'ckapi',
  'toggle side',
  'ledger-c',
  'deploy',
  // With two letters mistyped, and an act beside its object.
  'paymnets',
  'logs gateway',
];
/** Between two keys, ms: a fast typist. */
const pace = 70;
const patience = 120_000;

interface Measured {
  /** From each key press to the frame that shows its letter, ms. */
  readonly paints: readonly number[];
  /** From each key press to the frame that shows the first of what it changes in the list, ms. */
  readonly lists: readonly number[];
  /** Most entries in the document at once. */
  readonly most: number;
  /** From each question to the server's index to its answer, ms. */
  readonly answers: readonly number[];
}

/** Times every key press until its frame is painted, and until the list's is; counts entries. Runs in the page. */
function instrument(): void {
  const kept = { paints: [] as number[], lists: [] as number[], most: 0 };
  Object.assign(window, kept);
  // A message is handled after the frame was painted.
  const afterPaint = (run: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', run);
      port1.start();
      port2.postMessage(null);
    });
  /** When the key was pressed that the list has not answered yet. */
  let pressed: number | undefined;
  window.addEventListener(
    'keydown',
    ({ timeStamp, key }) => {
      if (key.length > 1 && key !== 'Backspace') return;
      pressed = timeStamp;
      afterPaint(() => kept.paints.push(performance.now() - timeStamp));
    },
    { capture: true },
  );
  const list = document.querySelector('[role=dialog] [role=listbox]');
  if (list === null) return;
  new MutationObserver(() => {
    const since = pressed;
    if (since === undefined) return;
    pressed = undefined;
    afterPaint(() => kept.lists.push(performance.now() - since));
    kept.most = Math.max(kept.most, list.querySelectorAll('[role=option]').length);
    Object.assign(window, kept);
  }).observe(list, { childList: true, subtree: true, characterData: true });
}

async function typeAll(page: Page): Promise<Measured> {
  for (const query of queries) {
    await page.keyboard.type(query, { delay: pace });
    await wait(300);
    for (let at = 0; at < query.length; at += 1) await page.keyboard.press('Backspace', { delay: pace });
  }
  return await page.evaluate(() => {
    const { paints, lists, most } = window as unknown as Omit<Measured, 'answers'>;
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/search?'));
    return { paints, lists, most, answers: asked.map(({ duration }) => duration) };
  });
}

/** Waits until the index holds every name. */
async function untilRead(app: App, names: number): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    const { total, isReading } = await app.client.call('search', { query: { limit: '1' } });
    if (total >= names && !isReading) return;
    if (performance.now() > end) throw new Error(`Only ${total} of ${names} names were read.`);
    await wait(250);
  }
}

/** How long one pass over all names takes, ms: what each key costs the server. */
function measureRanking(names: number): readonly number[] {
  const items: Rankable[] = Array.from({ length: names }, (_, at) =>
    rankable(syntheticName(at), `team-${at % 40}`),
  );
  const times: number[] = [];
  for (const text of queries) {
    for (let length = 1; length <= text.length; length += 1) {
      const began = performance.now();
      const query = rankQuery(text.slice(0, length));
      const isKind = kindMatches(query, ['configmap']);
      const best = createBest<number>(50, (a, b) => a - b);
      for (const [at, item] of items.entries()) {
        const score = scoreOf(query, item, isKind);
        if (score > 0 && best.wants(score)) best.offer(score, at);
      }
      times.push(performance.now() - began);
    }
  }
  return times;
}

/**
 * Chromium draws sixty times a second: a key waits for the next frame, up to 16.7 ms, whatever the page does. Without
 * that clock a frame begins as soon as there is something to draw, and what is left is work: of the page and the browser.
 */
const unclocked = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Types into a bare field and into the palette, in a browser with these flags. */
async function typeInBrowser(
  app: App,
  flags: readonly string[],
): Promise<{ readonly bare: Measured; readonly palette: Measured }> {
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...flags];
  const browser = await chromium.launch({ executablePath: ensureChromium(), args });
  try {
    // What moves by itself would be drawn without end where no clock holds it.
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    await app.enter(context);
    const field = await context.newPage();
    await field.setContent('<input autofocus>');
    await field.evaluate(instrument);
    await field.locator('input').focus();
    const bare = await typeAll(field);
    await field.close();

    const page = await context.newPage();
    await page.goto(`${app.url}/clusters`);
    await page.getByRole('button', { name: /^Search or run a command/ }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
    await page.evaluate(instrument);
    return { bare, palette: await typeAll(page) };
  } finally {
    await browser.close();
  }
}

/** The real palette in Chromium over a cluster of this many synthetic names, beside a bare text field. */
export async function measurePalette({ names }: { readonly names: number }): Promise<Figure[]> {
  const ranked = measureRanking(names);
  const cluster = await startNames(names);
  const app = await startApp({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' }, measuredProduct);
  try {
    const { results } = await app.client.call('addClusters', {
      body: { clusters: [{ name: 'names', description: '', kubeConfigContent: cluster.kubeconfig }] },
    });
    const id = results[0]?.id;
    if (id === undefined) throw new Error('The cluster of names was not added.');
    await untilRead(app, names);
    const work = await typeInBrowser(app, unclocked);
    const clocked = await typeInBrowser(app, []);
    const ms = (name: string, values: readonly number[], share: number, atMost?: number): Figure => ({
      name: `${name}, p${share * 100}`,
      value: quantile(values, share),
      unit: 'ms',
      ...(atMost === undefined ? {} : { atMost, by: 'paint' }),
    });
    const { palette } = work;
    const most = Math.max(palette.most, clocked.palette.most);
    return [
      ms(`one pass over ${names} names`, ranked, 0.5),
      ms(`one pass over ${names} names`, ranked, 0.95, 40),
      ms('key to paint in a bare field', work.bare.paints, 0.95),
      ms('key to paint in the palette', palette.paints, 0.5),
      ms('key to paint in the palette', palette.paints, 0.95, 17),
      ms('key to its list painted', palette.lists, 0.5),
      ms('key to its list painted', palette.lists, 0.95, 34),
      ms('at 60 frames a second: bare field', clocked.bare.paints, 0.95),
      ms('at 60 frames a second: palette', clocked.palette.paints, 0.95),
      ms('at 60 frames a second: its list', clocked.palette.lists, 0.95),
      { name: 'entries in the document, most', value: most, unit: '', atMost: 50, atLeast: 1 },
      ms('question to answer of the index', palette.answers, 0.5),
      ms('question to answer of the index', palette.answers, 0.95, 150),
    ];
  } finally {
    await app.product.remove();
    await cluster.end();
  }
}
