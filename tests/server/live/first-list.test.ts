import { describe, expect, test } from 'vitest';
import type { KubeList, KubeObject } from '../../../src/kube/object.ts';
import { shareLive } from './live-console.ts';
import type { LiveClient, LiveList } from './live-client.ts';
import { listOf, podOf, refusal, type ScriptedTransport, silence } from './script-transport.ts';

const lab = shareLive();
const { open, cluster } = lab;

/** Gives one page of the list of pods, or refuses it. */
type Give = (answer: KubeList | Error) => void;

interface HeldPages {
  /** Waits until the page after this token is asked for; undefined for the first page. */
  asked(token?: string): Promise<Give>;
}

/** Holds every page of the list of pods until the test gives it; other kinds are empty. */
function holdPages(transport: ScriptedTransport, path = '/api/v1/pods'): HeldPages {
  const waiting = new Map<string, Give>();
  const askers = new Map<string, (give: Give) => void>();
  const others = transport.onList;
  transport.onList = (request) => {
    if (request.path !== path) return path === '/api/v1/pods' ? listOf('1') : others(request);
    const token = String(request.query?.['continue'] ?? '');
    return new Promise<KubeList>((resolve, reject) => {
      const give: Give = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
      const asker = askers.get(token);
      askers.delete(token);
      if (asker === undefined) waiting.set(token, give);
      else asker(give);
    });
  };
  return {
    asked(token = '') {
      const give = waiting.get(token);
      waiting.delete(token);
      if (give !== undefined) return Promise.resolve(give);
      return new Promise((resolve) => askers.set(token, resolve));
    },
  };
}

/** Pods by name, one each. */
const pods = (...names: readonly string[]): KubeObject[] => names.map((name) => podOf(name, '1'));

const namesOf = (rows: LiveList['rows'] | undefined) =>
  [...(rows?.keys() ?? [])].map((uid) => uid.slice(4)).sort();

/** Waits until a list that is still being read has these rows. */
async function untilRead(client: LiveClient, list: LiveList, ...names: readonly string[]): Promise<void> {
  await client.until(`${names.join(', ')} came`, () => namesOf(list.incoming).join() === names.join());
}

/** A cluster whose pods come page by page, and a page that lists them. */
async function reading(spec: { namespace?: string; sort?: string; limit?: number } = {}) {
  const { transport, id } = await cluster();
  const held = holdPages(transport);
  const client = await open();
  const list = client.subscribe({ clusterId: id, kind: 'pod', ...spec });
  return { transport, id, held, client, list };
}

describe('a list that nobody watched before', () => {
  test('shows rows page by page, and is complete only with the last', async () => {
    const { held, client, list, transport } = await reading();
    (await held.asked())(listOf('10', pods('a', 'b'), 'two'));
    await untilRead(client, list, 'a', 'b');
    (await held.asked('two'))(listOf('10', pods('c'), 'three'));
    await untilRead(client, list, 'a', 'b', 'c');
    expect(list.snapshots).toBe(0);
    expect(list.statuses).toEqual(['loading']);
    (await held.asked('three'))(listOf('10', pods('d')));
    await client.until('live', () => list.state?.status === 'live');
    expect(namesOf(list.rows)).toEqual(['a', 'b', 'c', 'd']);
    expect(list.snapshots).toBe(1);
    expect(list.statuses).toEqual(['loading', 'live']);
    expect(transport.calls).toEqual(['list', 'list', 'list', 'watch']);
  });

  test('gives whoever joins half way the rows so far, then the others', async () => {
    const { held, id, client, list } = await reading();
    (await held.asked())(listOf('10', pods('a'), 'two'));
    await untilRead(client, list, 'a');
    const late = await open();
    const same = late.subscribe({ clusterId: id, kind: 'pod' });
    const shop = late.subscribe({ clusterId: id, kind: 'pod', namespace: 'shop' });
    await untilRead(late, same, 'a');
    await untilRead(late, shop, 'a');
    (await held.asked('two'))(listOf('10', [...pods('b'), podOf('x', '1', 'Running', 'other')], 'three'));
    await untilRead(late, same, 'a', 'b', 'x');
    await untilRead(late, shop, 'a', 'b');
    (await held.asked('three'))(listOf('10'));
    await late.until('both complete', () => same.snapshots === 1 && shop.snapshots === 1);
    await client.until('the first is complete', () => list.snapshots === 1);
    expect(namesOf(shop.rows)).toEqual(['a', 'b']);
    expect(namesOf(list.rows)).toEqual(['a', 'b', 'x']);
  });

  test('keeps the rows of its pages when a later one fails, says so, and reads them again', async () => {
    const { held, client, list } = await reading();
    (await held.asked())(listOf('10', pods('a', 'b'), 'two'));
    await untilRead(client, list, 'a', 'b');
    (await held.asked('two'))(silence());
    await client.until('the failure is told', () => list.state?.status === 'unreachable');
    expect(list.state?.message).toBe('prod refused the connection.');
    expect(namesOf(list.incoming)).toEqual(['a', 'b']);
    expect(list.snapshots).toBe(0);
    // What went in between goes from the rows once the list is complete.
    (await held.asked())(listOf('20', pods('b'), 'two'));
    await client.until('it is being read again', () => list.state?.status === 'loading');
    (await held.asked('two'))(listOf('20', pods('c')));
    await client.until('live', () => list.state?.status === 'live');
    expect(namesOf(list.rows)).toEqual(['b', 'c']);
  });

  test('begins anew where the page token has expired, and drops what the second reading lacks', async () => {
    const { held, client, list } = await reading();
    (await held.asked())(listOf('10', pods('a', 'gone'), 'two'));
    await untilRead(client, list, 'a', 'gone');
    (await held.asked('two'))(refusal(410, { reason: 'Expired' }));
    (await held.asked())(listOf('20', pods('a'), 'other'));
    const last = await held.asked('other');
    expect(namesOf(list.incoming)).toEqual(['a', 'gone']);
    last(listOf('20', pods('b')));
    await client.until('live', () => list.state?.status === 'live');
    expect(namesOf(list.rows)).toEqual(['a', 'b']);
    expect(list.statuses).toEqual(['loading', 'live']);
  });

  test('moves the window of a list that is cut off as better rows come', async () => {
    const { held, client, list } = await reading({ sort: '-name', limit: 2 });
    (await held.asked())(listOf('10', pods('a', 'b', 'c'), 'two'));
    await untilRead(client, list, 'b', 'c');
    (await held.asked('two'))(listOf('10', pods('d'), 'three'));
    await untilRead(client, list, 'c', 'd');
    expect(list.total).toBe(4);
    (await held.asked('three'))(listOf('10', pods('e')));
    await client.until('live', () => list.state?.status === 'live');
    expect(namesOf(list.rows)).toEqual(['d', 'e']);
    expect(list.total).toBe(5);
  });

  test('is not taken for complete by tallies and dashboard', async () => {
    const { held, id, client, list } = await reading();
    const tallies = client.tallies(id);
    const dashboard = client.dashboard(id);
    (await held.asked())(listOf('10', pods('a'), 'two'));
    await untilRead(client, list, 'a');
    await client.until('other kinds are counted', () => tallies.tallies?.['deployment'] !== undefined);
    expect(tallies.tallies?.['pod']).toBeUndefined();
    const last = await held.asked('two');
    expect(dashboard.dashboard).toBeUndefined();
    last(listOf('10', pods('b', 'c')));
    await client.until('counted', () => tallies.tallies?.['pod']?.total === 3);
    await client.until('judged', () => dashboard.dashboard !== undefined);
  });

  test('never says of an object that it does not exist before every page was read', async () => {
    const { held, id, client, list, transport } = await reading();
    const others = transport.onList;
    transport.onList = (request) =>
      request.path === '/api/v1/namespaces/shop/pods/z' ? podOf('z', '1') : others(request);
    const object = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'z' });
    (await held.asked())(listOf('10', pods('a'), 'two'));
    await untilRead(client, list, 'a');
    await client.until('the object came', () => object.view !== undefined);
    (await held.asked('two'))(listOf('10', pods('z')));
    await client.until('live', () => list.state?.status === 'live');
    expect(object.gone).toBeUndefined();
  });

  test('is read from when its page is asked for, for whoever may view it', async () => {
    const { transport, id } = await cluster();
    const held = holdPages(transport);
    const { hub } = lab.live;
    const stranger = await lab.live.person();
    await expect(hub.readAhead(stranger, id, 'pod')).rejects.toMatchObject({ status: 404 });
    expect(transport.calls).toEqual([]);
    await hub.readAhead(await lab.live.person({ isOwner: true }), id, 'pod');
    (await held.asked())(listOf('10', pods('a'), 'two'));
    const last = await held.asked('two');
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await untilRead(client, list, 'a');
    last(listOf('10', pods('b')));
    await client.until('live', () => list.state?.status === 'live');
    expect(transport.calls).toEqual(['list', 'list', 'watch']);
  });

  test('of a dashboard is read from when its page is asked for', async () => {
    const { transport, id } = await cluster();
    await lab.live.hub.readAhead(await lab.live.person({ isOwner: true }), id, undefined);
    const client = await open();
    const dashboard = client.dashboard(id);
    await client.until('it came', () => dashboard.dashboard !== undefined);
    const lists = transport.requests.filter(
      ({ path, query }) => path === '/api/v1/pods' && query?.['watch'] !== true,
    );
    expect(lists).toHaveLength(1);
  });

  test('shows nothing to somebody who may not view it, however far it is read', async () => {
    const { held, id, client, list } = await reading();
    (await held.asked())(listOf('10', pods('a'), 'two'));
    await untilRead(client, list, 'a');
    const stranger = await open(await lab.live.person());
    const theirs = stranger.subscribe({ clusterId: id, kind: 'pod' });
    await stranger.until('it is refused', () => theirs.ended !== undefined);
    expect([theirs.incoming, theirs.rows.size]).toEqual([undefined, 0]);
    (await held.asked('two'))(listOf('10'));
    await client.until('complete', () => list.snapshots === 1);
  });

  test('shows the rows of the namespaces that a narrow credential has read so far', async () => {
    const { transport, id } = await cluster([], { namespaces: ['shop', 'other'] });
    transport.onList = ({ path }) => {
      if (path === '/api/v1/pods') throw refusal(403);
      return listOf('1', pods('a'));
    };
    const held = holdPages(transport, '/api/v1/namespaces/other/pods');
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await untilRead(client, list, 'a');
    expect(list.snapshots).toBe(0);
    (await held.asked())(listOf('10', [podOf('b', '1', 'Running', 'other')], 'two'));
    await untilRead(client, list, 'a', 'b');
    (await held.asked('two'))(listOf('10', [podOf('c', '1', 'Running', 'other')]));
    await client.until('live', () => list.state?.status === 'live');
    expect(namesOf(list.rows)).toEqual(['a', 'b', 'c']);
  });
});
