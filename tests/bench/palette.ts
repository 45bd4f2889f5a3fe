import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import {
  createBest,
  kindMatches,
  type Rankable,
  rankable,
  rankQuery,
  scoreOf,
} from '../../src/registry/rank.ts';
import { ensureChromium } from '../e2e/chromium.ts';
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
];
/** Between two keys, ms: a fast typist. */
const pace = 70;
const patience = 120_000;

interface Measured {
  /** From each key press to the frame that shows it, ms. */
  readonly paints: readonly number[];
  /** Most entries in the document at once. */
  readonly most: number;
  /** From each question to the server's index to its answer, ms. */
  readonly answers: readonly number[];
}

/** Times every key press until the frame after it is painted, and counts entries. Runs in the page. */
function instrument(): void {
  const kept = window as unknown as { paints: number[]; most: number };
  kept.paints = [];
  kept.most = 0;
  window.addEventListener(
    'keydown',
    ({ timeStamp, key }) => {
      if (key.length > 1 && key !== 'Backspace') return;
      requestAnimationFrame(() => {
        // A message is handled after the frame was painted.
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => {
          kept.paints.push(performance.now() - timeStamp);
          kept.most = Math.max(kept.most, document.querySelectorAll('[cmdk-item]').length);
        });
        port1.start();
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

async function typeAll(page: Page): Promise<Measured> {
  for (const query of queries) {
    await page.keyboard.type(query, { delay: pace });
    await wait(300);
    for (let at = 0; at < query.length; at += 1) await page.keyboard.press('Backspace', { delay: pace });
  }
  return await page.evaluate(() => {
    const { paints, most } = window as unknown as { paints: number[]; most: number };
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/search?'));
    return { paints, most, answers: asked.map(({ duration }) => duration) };
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

/** The real palette in Chromium over a cluster of this many synthetic names, beside a bare text field. */
export async function measurePalette({ names }: { readonly names: number }): Promise<Figure[]> {
  const ranked = measureRanking(names);
  const cluster = await startNames(names);
  const app = await startApp({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8' });
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: ensureChromium(), args });
  try {
    const { results } = await app.client.call('addClusters', {
      body: { clusters: [{ name: 'names', description: '', kubeConfigContent: cluster.kubeconfig }] },
    });
    const id = results[0]?.id;
    if (id === undefined) throw new Error('The cluster of names was not added.');
    await untilRead(app, names);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await app.enter(context);

    const bare = await context.newPage();
    await bare.setContent('<input autofocus>');
    await bare.evaluate(instrument);
    await bare.locator('input').focus();
    const floor = await typeAll(bare);
    await bare.close();

    const page = await context.newPage();
    await page.goto(`${app.url}/clusters`);
    await page.getByRole('button', { name: /^Search or run a command/ }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
    await page.evaluate(instrument);
    const { paints, most, answers } = await typeAll(page);
    const ms = (name: string, value: number, atMost?: number): Figure => ({
      name,
      value,
      unit: 'ms',
      ...(atMost === undefined ? {} : { atMost }),
    });
    return [
      ms(`one pass over ${names} names, p50`, quantile(ranked, 0.5)),
      ms(`one pass over ${names} names, p95`, quantile(ranked, 0.95), 40),
      ms('key to paint in a bare field, p95', quantile(floor.paints, 0.95)),
      ms('key to paint in the palette, p50', quantile(paints, 0.5)),
      ms('key to paint in the palette, p95', quantile(paints, 0.95), 17),
      { name: 'entries in the document, most', value: most, unit: '', atMost: 50, atLeast: 1 },
      ms('question to answer of the index, p50', quantile(answers, 0.5)),
      ms('question to answer of the index, p95', quantile(answers, 0.95), 150),
    ];
  } finally {
    await browser.close();
    await app.product.remove();
    await cluster.end();
  }
}
