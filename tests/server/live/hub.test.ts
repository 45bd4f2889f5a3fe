import { describe, expect, test } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { liveProtocol } from '../../../src/contract/live-socket.ts';
import { shareLive } from './live-console.ts';
import { createScriptedTransport, listOf, podOf, refusal, silence } from './script-transport.ts';

const lab = shareLive();
const { open, cluster } = lab;

const event = (type: string, object: object) => ({ type, object });

describe('a page', () => {
  test('is greeted with protocol, build, columns and the server’s time', async () => {
    const client = await open();
    expect(client.hello).toMatchObject({ protocol: liveProtocol, build: 'test-build' });
    const columns = kinds.map((kind) => [kind.id, kind.columns.map((column) => column.id)]);
    expect(client.hello?.columns).toEqual(Object.fromEntries(columns));
    expect(Date.parse(client.hello?.now ?? '')).toBeGreaterThan(0);
  });

  test('gets the snapshot before the state `live`, then changes', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    expect([...list.rows.keys()]).toEqual(['uid-a', 'uid-b']);
    expect(list.statuses).toEqual(['loading', 'live']);
    transport.lastWatch.say(event('ADDED', podOf('c', '11')));
    transport.lastWatch.say(event('DELETED', podOf('a', '12')));
    await client.until('the changes came', () => list.changes > 0);
    expect([...list.rows.keys()]).toEqual(['uid-b', 'uid-c']);
    expect(list.snapshots).toBe(1);
  });

  test('answers the palette with the status of objects that it follows, and of no others', async () => {
    const { id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    expect(lab.live.hub.statusOf(id, 'pod', 'uid-a')?.[0]).toBe('Running');
    expect(lab.live.hub.statusOf(id, 'pod', 'uid-none')).toBeUndefined();
    expect(lab.live.hub.statusOf(id, 'node', 'uid-a')).toBeUndefined();
    expect(lab.live.hub.statusOf(id, 'nothing', 'uid-a')).toBeUndefined();
  });

  test('sees only the namespace it asked for, on the one shared watch', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const [all, shop] = [
      client.subscribe({ clusterId: id, kind: 'pod' }),
      client.subscribe({ clusterId: id, kind: 'pod', namespace: 'shop' }),
    ];
    await client.until('both live', () => all.state?.status === 'live' && shop.state?.status === 'live');
    expect([...shop.rows.keys()]).toEqual(['uid-a']);
    transport.lastWatch.say(event('ADDED', podOf('c', '11', 'Running', 'other')));
    transport.lastWatch.say(event('ADDED', podOf('d', '12')));
    await client.until('both changed', () => all.rows.size === 4 && shop.rows.size === 2);
    expect([...shop.rows.keys()]).toEqual(['uid-a', 'uid-d']);
    expect(transport.calls).toEqual(['list', 'watch']);
  });

  test('gets many changes of one object as one row, a hundred milliseconds later', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    for (let version = 0; version < 50; version += 1) {
      transport.lastWatch.say(event('MODIFIED', podOf('a', `v${version}`, `Phase${version}`)));
    }
    await client.until('changed', () => list.changes > 0);
    expect(JSON.stringify(list.rows.get('uid-a'))).toContain('Phase49');
    expect(list.changes).toBe(1);
  });

  test('asks for the newest rows only, and hears how many there are', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod', sort: '-name', limit: 1 });
    await client.until('live', () => list.state?.status === 'live');
    expect([[...list.rows.keys()], list.total]).toEqual([['uid-b'], 2]);
    transport.lastWatch.say(event('ADDED', podOf('z', '11')));
    await client.until('the window moved', () => list.total === 3);
    expect([...list.rows.keys()]).toEqual(['uid-z']);
  });

  test('gets a sentence for each subscription that it may not have', async () => {
    const { id } = await cluster();
    const client = await open();
    const wrong = [
      client.subscribe({ clusterId: id, kind: 'nonsense' }),
      client.subscribe({ clusterId: id, kind: 'pod', sort: 'nonsense' }),
      client.subscribe({ clusterId: 2_000_000_000, kind: 'pod' }),
    ];
    await client.until('all ended', () => wrong.every((list) => list.ended !== undefined));
    expect(wrong.map((list) => list.ended)).toEqual([
      { status: 404, title: 'This console does not know that kind of resource.' },
      { status: 400, title: 'Pods cannot be sorted by “nonsense”: there is no such column.' },
      { status: 404, title: 'There is no such cluster.' },
    ]);
  });

  test('may have a hundred lists open and no more', async () => {
    const { id } = await cluster();
    const client = await open();
    const lists = Array.from({ length: 101 }, () => client.subscribe({ clusterId: id, kind: 'pod' }));
    await client.until('the last is refused', () => lists.at(-1)?.ended !== undefined);
    expect(lists.at(-1)?.ended?.status).toBe(429);
    expect(lists.slice(0, 100).every((list) => list.ended === undefined)).toBe(true);
  });

  test.each([
    ['text that is no JSON', 'nonsense'],
    ['an unknown type', '{"type":"list"}'],
    ['an unknown field', '{"type":"unsubscribe","id":1,"all":true}'],
    ['a negative id', '{"type":"unsubscribe","id":-1}'],
  ])('that sends %s is closed for breaking the protocol', async (_what, message) => {
    const client = await open();
    client.socket.send(message);
    await client.until('closed', () => client.closed !== undefined);
    expect(client.closed?.code).toBe(1008);
  });

  test('that sends bytes, the same subscription twice or too many messages is closed', async () => {
    const { id } = await cluster();
    const [bytes, twice, flood] = [await open(), await open(), await open()];
    // Seen by code alone: what the server says before is not what this is about.
    for (const client of [bytes, twice, flood]) client.socket.removeAllListeners('message');
    bytes.socket.send(Buffer.from('{"type":"beat"}'), { binary: true });
    const message = { type: 'subscribe', id: 1, clusterId: id, kind: 'pod' } as const;
    twice.socket.send(JSON.stringify(message));
    twice.socket.send(JSON.stringify(message));
    // More than the pace allows in a minute: a busy machine takes seconds for them, in which more become allowed.
    for (let count = 0; count < 4_000; count += 1) flood.send({ type: 'beat' });
    for (const client of [bytes, twice, flood]) {
      await client.until('closed', () => client.closed !== undefined);
      expect(client.closed?.code).toBe(1008);
    }
  });

  test('that unsubscribes hears no more of it', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const [left, kept] = [
      client.subscribe({ clusterId: id, kind: 'pod' }),
      client.subscribe({ clusterId: id, kind: 'pod' }),
    ];
    await client.until('both live', () => left.state?.status === 'live' && kept.state?.status === 'live');
    client.send({ type: 'unsubscribe', id: left.id });
    // Messages are handled in order: once this one is refused, the one before has been seen.
    const after = client.subscribe({ clusterId: id, kind: 'nonsense' });
    await client.until('the server got there', () => after.ended !== undefined);
    transport.lastWatch.say(event('ADDED', podOf('c', '11')));
    await client.until('the other changed', () => kept.changes === 1);
    expect(left.changes).toBe(0);
  });
});

describe('a cluster', () => {
  test('that is removed ends its lists with the sentence and stops its watch', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    await lab.live.remove(id);
    await client.until('ended', () => list.ended !== undefined);
    expect(list.ended).toEqual({ status: 404, title: 'There is no such cluster.' });
    await expect.poll(() => transport.lastWatch.isClosed).toBe(true);
  });

  test('whose credential is replaced is listed again: reconnecting, live, and only differences', async () => {
    const { id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    const next = createScriptedTransport();
    next.credential = 'second';
    next.onList = () => listOf('1', [podOf('a', '1'), podOf('n', '2')]);
    await lab.live.replace(id, next);
    await client.until('live again', () => list.statuses.length > 2 && list.state?.status === 'live');
    await client.until('differences', () => list.rows.has('uid-n'));
    expect(list.statuses).toEqual(['loading', 'live', 'reconnecting', 'live']);
    expect([...list.rows.keys()].sort()).toEqual(['uid-a', 'uid-n']);
    expect(list.snapshots).toBe(1);
  });

  test('that is dead or slow delays no other', async () => {
    const dead = createScriptedTransport();
    dead.onList = () => new Promise(() => {});
    const refused = createScriptedTransport();
    refused.onList = () => {
      throw silence();
    };
    const [deadId, refusedId] = [await lab.live.cluster(dead), await lab.live.cluster(refused)];
    const { id } = await cluster();
    const client = await open();
    const [slow, gone, list] = [
      client.subscribe({ clusterId: deadId, kind: 'pod' }),
      client.subscribe({ clusterId: refusedId, kind: 'pod' }),
      client.subscribe({ clusterId: id, kind: 'pod' }),
    ];
    await client.until('the healthy one is live', () => list.state?.status === 'live');
    await client.until('the dead one is said', () => gone.state?.status === 'unreachable');
    await client.until('the slow one is still loading', () => slow.state?.status === 'loading');
    expect(gone.sentences).toContain('prod refused the connection.');
  });

  test('whose pods may not be listed as a whole is read namespace by namespace', async () => {
    const transport = createScriptedTransport();
    transport.onList = ({ path }) => {
      if (path === '/api/v1/namespaces/shop/pods') return listOf('5', [podOf('a', '1')]);
      if (path === '/api/v1/namespaces/other/pods') return listOf('6', [podOf('b', '2', 'Running', 'other')]);
      throw refusal(403);
    };
    const id = await lab.live.cluster(transport, { namespaces: ['shop', 'other', 'closed'] });
    const client = await open();
    const [list, shut, foreign] = [
      client.subscribe({ clusterId: id, kind: 'pod' }),
      client.subscribe({ clusterId: id, kind: 'pod', namespace: 'closed' }),
      client.subscribe({ clusterId: id, kind: 'pod', namespace: 'elsewhere' }),
    ];
    await client.until('live', () => list.state?.status === 'live');
    expect([...list.rows.keys()].sort()).toEqual(['uid-a', 'uid-b']);
    expect(list.state?.message).toBe('Not shown because they cannot be read: “closed”.');
    await client.until(
      'said',
      () => shut.state?.status === 'forbidden' && foreign.state?.status === 'forbidden',
    );
    expect(foreign.state?.message).toMatch(
      /namespace “elsewhere” is not among those it reads there\. An Owner can name it under “Cluster settings for everyone”\.$/,
    );
    for (const watch of transport.watches) {
      if (watch.request.path.includes('/shop/')) watch.say(event('DELETED', podOf('a', '9')));
    }
    await client.until('one namespace changes', () => !list.rows.has('uid-a'));
    expect([...list.rows.keys()]).toEqual(['uid-b']);
  });

  test('whose pods may not be listed at all is forbidden, and Retry asks again', async () => {
    const transport = createScriptedTransport();
    transport.onList = () => {
      throw refusal(403);
    };
    const id = await lab.live.cluster(transport, { name: 'locked' });
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('forbidden', () => list.state?.status === 'forbidden');
    expect(list.state?.message).toMatch(
      /^This console's credential may not list pods in all namespaces of locked\./,
    );
    transport.onList = () => listOf('1', [podOf('a', '1')]);
    client.send({ type: 'retry', id: list.id });
    await client.until('live', () => list.state?.status === 'live');
    expect(list.rows.size).toBe(1);
  });
});
