import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';
import { namesIn, renamed, renamedStep, type Step } from './rename.ts';
import { type Difference, Names, recording, replay } from './replay.ts';
import { unrecorded } from './unrecorded.ts';

/** Leaves in which the playground may differ from the recorded server, and why. */
const accepted: Readonly<Record<string, string>> = {
  'access: who am I / body.status.userInfo.extra': 'the recording used a client certificate, this is a token',
  'patches: patch with a wrong type / body.message':
    'quotes the whole patched object in the order of Go maps',
  'patches: patch with a wrong type / body.details.causes[0].message': 'the same sentence',
  'subresources: events as a table / body.rows[1]': "an event of the recording machine's own address repair",
};
/** Names in the recordings that are also words of the API or of programs. */
const words = new Set([
  'v1',
  'pods',
  'app',
  'data',
  'none',
  'missing',
  'x',
  'p',
  'j',
  'web',
  'svc',
  'held',
  'applied',
]);
const source = new URL('../../src/playground', import.meta.url).pathname;
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

const everyTopic = [...topics, 'expired'];
const objects = new Set(everyTopic.flatMap((topic) => Array.from(namesIn(recording(topic)))));

describe.each([
  { how: 'as recorded', read: recording },
  { how: 'with every object renamed', read: (topic: string) => renamed(recording(topic), objects) },
])('answers as the recorded server did, $how', ({ read, how }) => {
  let playground: Playground;
  const names = new Names();
  const unkept = (step: Step): Step => (how === 'as recorded' ? step : renamedStep(step, objects));

  beforeAll(async () => {
    playground = await startPlayground({ seed: 'none' });
  });
  afterAll(async () => {
    await playground.close();
  });

  async function differences(topic: string): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const exchange of read(topic)) {
      const id = `${topic}: ${exchange.name}`;
      const before = unrecorded[id];
      if (before !== undefined) {
        const { path, body } = unkept(before);
        await json(playground, 'POST', path, body);
      }
      const all = await replay(playground, exchange, names);
      found.push(...all.filter(({ path }) => accepted[`${id} / ${path}`] === undefined));
    }
    return found;
  }

  // One server, in the order of the recording: each topic stands on what the ones before it made.
  test.each(topics)('%s', async (topic) => {
    expect(await differences(topic)).toEqual([]);
  });

  test('expired, once the history was dropped', async () => {
    playground.world.store.compact();
    expect(await differences('expired')).toEqual([]);
  });
});

test('accepts at most twenty differences', () => {
  expect(Object.keys(accepted).length).toBeLessThanOrEqual(20);
});

test('the playground knows no name from a recording', () => {
  const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(path.join(source, name), 'utf8')] as const);
  expect(sources.length).toBeGreaterThan(80);
  // Short names are words of any program; as a quoted word alone they would be a case, not a mechanism.
  const own = Array.from(objects).filter((name) => !words.has(name));
  expect(own.length).toBeGreaterThan(30);
  const found = sources.flatMap(([file, text]) =>
    own
      .filter((name) => new RegExp(`['"\`/]${name.replaceAll('.', '\\.')}['"\`/]`).test(text))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
  const defined = /boat|wire\.example/i;
  expect(sources.filter(([, text]) => defined.test(text)).map(([file]) => file)).toEqual([]);
});
