import { afterEach, beforeEach, expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { type Access, readAccess } from '../../../src/server/live/wire/access.ts';
import { ObjectChannel } from '../../../src/server/live/object/object-channel.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type LiveConsole, startLive } from './live-console.ts';
import { collections, createScriptedTransport, podOf, type ScriptedTransport } from './script-transport.ts';

const pods = '/api/v1/pods';
let clock: FakeClock;
let live: LiveConsole;
let transport: ScriptedTransport;
let access: Access;
let channel: ObjectChannel;
/** What the page was sent: the type of each message, and its text. */
let posts: { readonly type: string; readonly text: string }[];

beforeEach(async () => {
  clock = createFakeClock();
  live = await startLive(clock);
  transport = createScriptedTransport();
  transport.onList = collections({ [pods]: [podOf('web', '1')] });
  const clusterId = await live.cluster(transport);
  const person = await live.person({ isOwner: true });
  access = await readAccess(createGrants(live.store), person, clusterId, {
    need: pod.permissions.view,
    place: 'cluster',
  });
  posts = [];
  channel = new ObjectChannel({
    post: (type, body) => posts.push({ type, text: typeof body === 'string' ? body : body.plain.toString() }),
    live: live.hub.live(access.cluster),
    clock,
    access,
    kind: pod,
    message: { type: 'subscribe', id: 1, clusterId, kind: 'pod', namespace: 'shop', name: 'web' },
  });
  await expect.poll(() => clock.advance(100).then(() => posts.map(({ type }) => type))).toContain('object');
});
afterEach(async () => {
  channel.leave();
  await live.close();
});

async function change(phase: string): Promise<void> {
  transport.watchOf(pods).say({ type: 'MODIFIED', object: podOf('web', '11', phase) });
  const feed = live.hub.live(access.cluster).feed(pod);
  await expect.poll(() => clock.advance(100).then(() => feed.find('uid-web')?.version)).toBe('11');
}

test('nothing is sent to a page that catches up while its person’s grants are read', async () => {
  channel.hold();
  channel.suspend();
  await change('Failed');
  const before = posts.length;
  channel.resync();
  expect(posts.slice(before)).toEqual([]);
  channel.release(access);
  expect(posts.slice(before).map(({ type }) => type)).toContain('object');
  expect(posts.at(before)?.text).toContain('Failed');
});

test('grants that were read send nothing to a page that is still behind', async () => {
  channel.hold();
  await change('Failed');
  channel.suspend();
  const before = posts.length;
  channel.release(access);
  expect(posts.slice(before)).toEqual([]);
  channel.resync();
  expect(posts.at(before)?.text).toContain('Failed');
});
