import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../../src/contract/live.ts';
import type { ApiCall } from './api.ts';

/** A steady stream of changes to pods whose arrival is timed. */
export interface Changes {
  /** Notes which changes these rows carry. */
  seen(rows: readonly Row[]): void;
  /**
   * Changes `rate` pods a second; resolves when all were sent and accepted.
   * @param turn from well to bad and back, so that every change moves a count; else each has a status of its own
   */
  run(
    rate: number,
    seconds: number,
    turn?: boolean,
  ): Promise<{ readonly sent: number; readonly perSecond: number }>;
  /** From the moment a change was asked for to the moment its row arrived, ms. */
  readonly latencies: readonly number[];
  /** Begins to time anew. */
  forget(): void;
}

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** Reads the names of the first 500 pods, to which the changes are made in turn. */
export async function prepareChanges(call: ApiCall): Promise<Changes> {
  const list = JSON.parse(await call('GET', '/api/v1/pods?limit=500')) as { items: { metadata: PodName }[] };
  const names = list.items.map(({ metadata }) => metadata);
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];

  return {
    latencies,
    forget() {
      latencies.length = 0;
      sentAt.clear();
    },
    seen(rows) {
      const now = performance.now();
      for (const [, cells] of rows) {
        for (const cell of cells) {
          const label = Array.isArray(cell) ? String((cell as readonly unknown[])[0]) : '';
          const at = sentAt.get(label);
          if (at !== undefined) latencies.push(now - at);
        }
      }
    },
    async run(rate, seconds, turn = false) {
      const began = performance.now();
      const running: Promise<unknown>[] = [];
      const count = rate * seconds;
      for (let index = 0; index < count; index += 1) {
        const due = began + (index / rate) * 1000;
        if (due > performance.now()) await wait(due - performance.now());
        const pod = names[index % names.length];
        if (pod === undefined) throw new Error('The cluster has no pods.');
        // Shown in the status cell, so that a row tells which change it carries.
        const isBad = Math.floor(index / names.length) % 2 === 0;
        const reason = turn ? (isBad ? 'Evicted' : 'Bench') : `Bench${index}`;
        sentAt.set(reason, performance.now());
        const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/status`;
        running.push(call('PATCH', path, { status: { reason } }, 'application/merge-patch+json'));
      }
      await Promise.all(running);
      return { sent: count, perSecond: count / ((performance.now() - began) / 1000) };
    },
  };
}
