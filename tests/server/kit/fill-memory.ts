import { pod } from '../../../commands/kinds/pod.ts';
import type { Transport } from '../../../src/server/clusters/transport.ts';
import { MemoryBudget } from '../../../src/server/kit/memory-budget.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { NoMemory, readList } from '../../../src/server/live/source/list.ts';
import { createProjector, type Entry } from '../../../src/server/live/source/projector.ts';
import { pino } from 'pino';

/** What a process that read lists until its memory was full has to say. */
export interface Filled {
  readonly refusals: readonly string[];
  /** Objects that it holds. */
  readonly objects: number;
  /** Bytes. */
  readonly used: number;
  readonly limit: number;
}

const memory = new MemoryBudget();
const budget = memory.part('lists');
const held: ReadonlyMap<string, Entry>[] = [];
const refusals: string[] = [];
const objectsOfList = 2_000;

/** A cluster with as many pods as one list of them has. */
const clusterOf = (number: number) =>
  ({
    json: async () => ({
      metadata: { resourceVersion: '1' },
      items: Array.from({ length: objectsOfList }, (_, at) => ({
        metadata: {
          uid: `${number}-${at}`,
          name: `pod-${number}-${at}`,
          namespace: 'shop',
          labels: { app: `app-${number}-${at}`, tier: `tier-${at}` },
        },
        spec: { nodeName: `node-${at}`, containers: [{ name: 'main', image: `image-${number}-${at}` }] },
        status: { phase: 'Running', podIP: `10.0.${number}.${at}` },
      })),
    }),
  }) as unknown as Transport;

// Many times what fits; after the first refusals it goes on, as a server does.
for (let number = 0; number < 100 && refusals.length < 6; number += 1) {
  try {
    const { entries, weight } = await readList(
      {
        path: '/api/v1/pods',
        subject: () => ({ cluster: `c${number}`, kind: pod }),
        project: createProjector(pod, pino({ level: 'silent' }), systemClock),
        clock: systemClock,
        budget,
      },
      clusterOf(number),
      { held: new Map(), own: () => 0, signal: new AbortController().signal },
    );
    budget.held += weight;
    held.push(entries);
  } catch (error) {
    if (!(error instanceof NoMemory)) throw error;
    refusals.push(error.title);
  }
}
const objects = held.reduce((sum, { size }) => sum + size, 0);
const filled: Filled = { refusals, objects, used: memory.used, limit: memory.limit };
process.stdout.write(JSON.stringify(filled));
memory.close();
