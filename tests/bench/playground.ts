import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiTarget, openApi } from './api.ts';
import { startCluster } from './processes.ts';
import { type Figure, quantile } from './report.ts';

export interface PlaygroundLoad {
  readonly pods: number;
  /** Changes per second. */
  readonly rate: number;
  readonly seconds: number;
}

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly unknown[];
}

/** Counts the events of a watch of all pods from now on. */
async function countEvents(target: ApiTarget): Promise<{ count: () => number; end: () => void }> {
  let count = 0;
  const path = '/api/v1/pods?watch=1&resourceVersion=';
  const { call, close } = openApi(target);
  const list = JSON.parse(await call('GET', '/api/v1/pods?limit=1')) as {
    metadata: { resourceVersion: string };
  };
  close();
  const sent = get(target.server + path + list.metadata.resourceVersion, {
    ca: target.authority,
    agent: false,
    headers: { authorization: `Bearer ${target.token}` },
  });
  sent.on('response', (answer) => {
    answer.on('data', (part: Buffer) => {
      for (const byte of part) if (byte === 10) count += 1;
    });
  });
  sent.on('error', () => undefined);
  return { count: () => count, end: () => sent.destroy() };
}

/** A large playground that never rests is listed page by page while it is watched. */
export async function measurePlayground({ pods, rate, seconds }: PlaygroundLoad): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  const cluster = await startCluster(folder, pods, rate);
  const api = openApi(cluster);
  try {
    const watcher = await countEvents(cluster);
    const times: number[] = [];
    const began = performance.now();
    const before = watcher.count();
    let fewest = Number.POSITIVE_INFINITY;
    while (performance.now() - began < seconds * 1000) {
      let token = '';
      let seen = 0;
      do {
        const query = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
        const asked = performance.now();
        const text = await api.call('GET', `/api/v1/pods?limit=500${query}`);
        times.push(performance.now() - asked);
        const page = JSON.parse(text) as Page;
        seen += page.items.length;
        token = page.metadata.continue ?? '';
      } while (token !== '');
      fewest = Math.min(fewest, seen);
    }
    const passed = (performance.now() - began) / 1000;
    const events = watcher.count() - before;
    watcher.end();
    return [
      { name: 'playground: pods in each walk', value: fewest, unit: '', atLeast: pods },
      { name: 'playground: page of 500, p50', value: quantile(times, 0.5), unit: 'ms' },
      {
        name: 'playground: page of 500, p95',
        value: quantile(times, 0.95),
        unit: 'ms',
        atMost: 50,
        by: 'parse',
      },
      { name: 'playground: changes watched', value: events / passed, unit: '/s', atLeast: rate * 0.9 },
      {
        name: 'playground: most memory',
        value: (await cluster.peak()) / 1024 / 1024,
        unit: 'MB',
        atMost: 600,
      },
    ];
  } finally {
    api.close();
    await cluster.end();
    await rm(folder, { recursive: true, force: true });
  }
}
