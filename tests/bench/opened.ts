import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { ensureChromium } from '../e2e/chromium.ts';
import { type App, startApp } from '../e2e/kit.ts';
import { measuredProduct } from './checkout.ts';
import { type BenchCluster, startCluster } from './processes.ts';
import type { Figure } from './report.ts';

/** Rows that are not there by then will not come, ms. */
export const patience = 60_000;
/**
 * A new window loads parts of the browser's own beside the page, half a second of a core: whoever opens a page has a window.
 * So long, ms.
 */
export const windowLoads = 1_500;

/** A console over one cluster, ready to be opened in a browser. */
export interface Opened {
  readonly app: App;
  readonly cluster: BenchCluster;
  readonly path: string;
}

/**
 * Starts a cluster and a console that knows it.
 * @param folder for the cluster's kubeconfig
 * @param churn pods that change by themselves, per second
 */
export async function open(folder: string, pods: number, churn: number): Promise<Opened> {
  const cluster = await startCluster(folder, pods, churn);
  try {
    const app = await startConsole();
    const kubeConfigContent = await readFile(join(folder, 'playground.yaml'), 'utf8');
    const { results } = await app.client.call('addClusters', {
      body: { clusters: [{ name: 'bench', description: '', kubeConfigContent }] },
    });
    const id = results[0]?.id;
    if (id === undefined) throw new Error('The cluster was not added.');
    return { app, cluster, path: `${app.url}/clusters/${id}/pods` };
  } catch (error) {
    await cluster.end();
    throw error;
  }
}

/** Starts the product that is measured, for clusters on this machine. */
export const startConsole = (): Promise<App> =>
  startApp({ WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8', WHEELHOUSE_PLAYGROUND: 'off' }, measuredProduct);

/** Ends both. */
export async function close({ app, cluster }: Opened): Promise<void> {
  await app.product.remove();
  await cluster.end();
}

/** Runs something with a browser and a folder of its own. */
export async function inBrowser(
  run: (browser: Browser, folder: string) => Promise<Figure[]>,
): Promise<Figure[]> {
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
