import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';
import { type Difference, Names, recording, replay } from './replay.ts';
import { unrecorded } from './unrecorded.ts';

/** Leaves in which the playground may differ from the recorded server, and why. */
const accepted: Readonly<Record<string, string>> = {
  'access: who am I / body.status.userInfo.extra': 'the recording used a client certificate, this is a token',
  'patches: patch with a wrong type / body.message':
    'quotes the whole patched object in the order of Go maps',
  'patches: patch with a wrong type / body.details.causes[0].message': 'the same sentence',
  'subresources: pod command may not / body.message': 'ends with a diff of internal Go structs',
  'subresources: pod command may not / body.details.causes[0].message': 'the same sentence',
  'subresources: events as a table / body.rows[1]': "an event of the recording machine's own address repair",
};
const topics = [
  'discovery',
  'objects',
  'defaults',
  'lists',
  'patches',
  'watches',
  'custom-resources',
  'access',
  'subresources',
];

let playground: Playground;
const names = new Names();

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

async function differences(topic: string): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const exchange of recording(topic)) {
    const id = `${topic}: ${exchange.name}`;
    const before = unrecorded[id];
    if (before !== undefined) await json(playground, 'POST', before.path, before.body);
    const all = await replay(playground, exchange, names);
    found.push(...all.filter(({ path }) => accepted[`${id} / ${path}`] === undefined));
  }
  return found;
}

// One server, in the order of the recording: each topic stands on what the ones before it made.
for (const topic of topics) {
  test(`answers as the recorded server did: ${topic}`, async () => {
    expect(await differences(topic)).toEqual([]);
  });
}

test('answers as the recorded server did once the history is forgotten: expired', async () => {
  playground.world.store.compact();
  expect(await differences('expired')).toEqual([]);
});
