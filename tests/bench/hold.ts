import { setTimeout as wait } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { pino } from 'pino';
import { pod } from '../../commands/kinds/pod.ts';
import type { KubeList } from '../../src/kube/object.ts';
import { createProjector, type Entry } from '../../src/server/live/source/projector.ts';
import { type ApiTarget, openApi } from './api.ts';

/**
 * What the process holds, which is what a reflector holds of all pods and nothing else. Without what is very large:
 * no row is, but the last answers are, which are let go now or later.
 */
async function heap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await wait(20);
  }
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'old_space' || name === 'new_space')
    .reduce((sum, space) => sum + space.space_used_size, 0);
}

const first = new Map<string, Entry>();
const second = new Map<string, Entry>();

async function hold(target: ApiTarget): Promise<void> {
  const { call, close } = openApi(target);
  const project = createProjector(pod, pino({ level: 'silent' }));
  const read = async (held: Map<string, Entry>) => {
    let token: string | undefined;
    do {
      const query = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
      const page = JSON.parse(await call('GET', `/api/v1/pods?limit=500${query}`)) as KubeList;
      for (const item of page.items ?? []) {
        const entry = project(item, undefined);
        if (entry !== undefined) held.set(entry.uid, entry);
      }
      token = page.metadata?.continue || undefined;
    } while (token !== undefined);
  };
  // The first reading warms up code and shared values, and stays, so that the second is all that is added.
  await read(first);
  const before = await heap();
  await read(second);
  const bytesEach = ((await heap()) - before) / second.size;
  close();
  process.send?.({ pods: Math.min(first.size, second.size), bytesEach });
  process.disconnect();
}

process.once('message', (message) => void hold(message as ApiTarget));
