import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { kinds } from '../../../commands/kinds/index.ts';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { type TeamRole, teamRoles } from '../../../src/contract/permissions.ts';
import type { Pod } from '../../../src/kube/core.ts';
import type { KubeList } from '../../../src/kube/object.ts';
import { createLimiter } from '../../../src/server/kit/limiter.ts';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { endpoints } from '../../permission-table.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { pathOf, type TestClient, type WireAnswer } from '../http-client.ts';
import { type LiveClient, openLive } from '../live/live-client.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { callIn, isRefused, namespacedCalls, needsNamespace, refusedWithin } from './namespaced-calls.ts';

/** A namespace that the person reaches, and one that they do not. */
const own = 'shop';
const other = 'vault-kx9';
/** In the name of everything in the other namespace. */
const canary = 'zq7canary';
const patience = { timeout: 60_000, interval: 50 };

let playground: PlaygroundConsole;
let console: TestConsole;
/** Another server on the same database. */
let second: TestConsole;
let companyId: number;
let clusterId: number;
let owner: TestPerson;
/** Reaches `shop` alone, and may do everything there. */
let person: TestPerson;

const put = (path: string, body: object) => playground.transport.json({ method: 'POST', path, body });

/** Somebody of a team with this role that reaches some namespaces. */
async function member(role: TeamRole, namespaces: readonly string[] | null) {
  const one = await console.person({ companyId });
  const teamId = await console.grant(companyId, one.id, clusterId, role, namespaces);
  return { ...one, teamId };
}

/** The same objects in a namespace, named after `name`. */
async function furnish(namespace: string, name: string): Promise<void> {
  const metadata = { name, namespace };
  await put(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentOf(namespace, name, 'web:1', 1));
  await put(`/api/v1/namespaces/${namespace}/configmaps`, { metadata, data: { [name]: name } });
  await put(`/api/v1/namespaces/${namespace}/secrets`, { metadata, stringData: { [name]: name } });
  await put(`/api/v1/namespaces/${namespace}/services`, {
    metadata,
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  });
  await put(`/api/v1/namespaces/${namespace}/events`, {
    metadata: { name: `${name}.1`, namespace },
    involvedObject: { kind: 'Pod', name, namespace, uid: `uid-${name}` },
    reason: 'Failed',
    message: `${name} failed`,
    type: 'Warning',
    lastTimestamp: new Date().toISOString(),
  });
}

beforeAll(async () => {
  playground = await startPlaygroundConsole(own);
  ({ console, companyId, clusterId, owner } = playground);
  await put('/api/v1/namespaces', { metadata: { name: other } });
  await vi.waitUntil(() => playground.seen(`/api/v1/namespaces/${other}/serviceaccounts/default`), patience);
  await furnish(own, 'web');
  await furnish(other, canary);
  second = await startConsole({ config: { databaseUrl: console.services.config.databaseUrl } });
  person = await member(teamRoles.TeamAdmin, [own]);
  for (const namespace of [own, other]) {
    await vi.waitUntil(async () => {
      const pods = await podsIn(namespace);
      return pods.some(({ status }) => status?.phase === 'Running');
    }, patience);
  }
});
afterAll(async () => {
  await second.close();
  await console.close();
});

async function podsIn(namespace: string): Promise<readonly Pod[]> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  return (await playground.transport.json<KubeList<Pod>>({ path })).items ?? [];
}

/** A pod that runs: others may just have been made. */
const podIn = async (namespace: string) =>
  (await podsIn(namespace)).find(({ status }) => status?.phase === 'Running')?.metadata?.name ?? '';

/** Calls on a cluster that are for more people than Owners. */
const names = Object.keys(endpoints).filter((name) => {
  const { path, access }: Endpoint = api[name as ApiName];
  return path.includes('/:clusterId') && !path.includes('/:teamId') && access !== 'owner';
});

describe('a team that reaches one namespace', () => {
  it('has a row for each call on a cluster', () => {
    expect(Object.keys(namespacedCalls).sort()).toEqual([...names].sort());
  });

  it.each(names)('%s', async (name) => {
    const expected = namespacedCalls[name];
    const { access }: Endpoint = api[name as ApiName];
    const kind = name === 'usageOf' ? 'pod' : 'deployment';
    const ask = async (namespace: string | undefined) =>
      isRefused(name, await callIn(person.client, name, { clusterId, kind, namespace, object: 'web' }));
    const refused = {
      own: await ask(own),
      other: await ask(other),
      ...(needsNamespace(name) ? {} : { whole: await ask(undefined) }),
    };
    const { whole, ...within } = refusedWithin(expected ?? 'cluster');
    const wanted = needsNamespace(name) ? within : { ...within, whole };
    expect([name, access, refused]).toEqual([name, access, wanted]);
  });

  it('is told the permissions that it holds somewhere, and which namespaces it reaches', async () => {
    const held = await person.client.call('userPermissions', { params: { clusterId } });
    expect(held.map(({ name }) => name)).toContain('pods.manage');
    expect(held.map(({ name }) => name)).not.toContain('clusters.view');
    expect(await person.client.call('clusters', {})).toMatchObject([{ namespaces: [own], server: '' }]);
    const spaces = await person.client.call('namespaces', { params: { clusterId } });
    expect(spaces.map(({ name }) => name)).toEqual([own]);
  });

  it('changes nothing of the cluster: it drains, cordons, creates and deletes no namespace', async () => {
    for (const [actionId, ref] of [
      ['node.drain', { kind: 'node', name: 'any' }],
      ['node.cordon', { kind: 'node', name: 'any' }],
      ['object.delete', { kind: 'namespace', name: own }],
    ] as const) {
      const path = pathOf(api.runAction, { clusterId, actionId });
      const answer = await person.client.send('POST', path, { refs: [ref], dryRun: true });
      expect([actionId, answer.status]).toEqual([actionId, 403]);
    }
  });

  it('is refused a bulk action as a whole where one of its objects is out of reach', async () => {
    const path = pathOf(api.runAction, { clusterId, actionId: 'deployment.restart' });
    const refs = [
      { kind: 'deployment', namespace: own, name: 'web' },
      { kind: 'deployment', namespace: other, name: canary },
    ];
    const answer = await person.client.send('POST', path, { refs });
    expect(answer.status).toBe(403);
    const kept = await playground.seen<{ metadata: { generation: number } }>(
      `/apis/apps/v1/namespaces/${own}/deployments/web`,
    );
    expect(kept?.metadata.generation).toBe(1);
  });
});

/** Every text message of a page's socket. */
async function recorded(client: TestClient): Promise<{ page: LiveClient; texts: string[] }> {
  const page = await openLive(console.url, { cookie: client.cookie, origin: console.url });
  const texts: string[] = [];
  page.socket.on('message', (data: Buffer) => texts.push(data.toString('utf8')));
  return { page, texts };
}

describe('what is in a namespace that a person does not reach', () => {
  const kindIds = ['pod', 'secret', 'event', 'namespace', 'release'];

  /** Everything that calls answer to somebody, by what was asked. */
  async function walk(client: TestClient): Promise<ReadonlyMap<string, string>> {
    const asked = new Map<string, () => Promise<WireAnswer>>();
    for (const name of names) {
      if (['createNamespace', 'createObject', 'createResource', 'cancelJob'].includes(name)) continue;
      const tried = api[name as ApiName].path.includes(':kind') && name !== 'usageOf' ? kindIds : ['pod'];
      for (const kind of tried) {
        for (const namespace of [own, other, undefined]) {
          if (namespace === undefined && needsNamespace(name)) continue;
          const known = kind === 'namespace' ? other : canary;
          const object = namespace === other ? known : 'web';
          const ask = () => callIn(client, name, { clusterId, kind, namespace, object });
          asked.set(`${name} ${kind} ${namespace ?? ''}`, ask);
        }
      }
    }
    for (const query of ['', canary, canary.slice(0, 4), other])
      asked.set(`search ${query}`, () =>
        client.send('GET', `/api/search?q=${encodeURIComponent(query)}&limit=100`),
      );
    asked.set('search in it', () => client.send('GET', `/api/search?namespace=${other}`));
    asked.set('clusters', () => client.send('GET', api.clusters.path));
    asked.set('teams', () => client.send('GET', api.teams.path));
    const limiter = createLimiter(6);
    const told = await Promise.all(
      [...asked].map(async ([what, ask]) => {
        const { status, text } = await limiter.run(ask);
        // Nothing was left unasked.
        expect([what, status]).not.toEqual([what, 429]);
        return [what, text] as const;
      }),
    );
    return new Map(told);
  }

  /** Follows everything that can be followed, lets something change there, and answers all that the page was told. */
  async function follow(client: TestClient): Promise<string[]> {
    const { page, texts } = await recorded(client);
    const lists = kinds.map(({ id }) => page.subscribe({ clusterId, kind: id, wide: true }));
    const sorted = page.subscribe({ clusterId, kind: 'pod', sort: 'name', limit: 500 });
    const boards = [page.dashboard(clusterId), page.tallies(clusterId), page.tallies(clusterId, 'custom')];
    const graphs = [
      page.graph(clusterId, { namespace: own }),
      page.graph(clusterId, { kind: 'deployment', namespace: own, name: 'web' }),
      page.graph(clusterId, { namespace: other }),
    ];
    const object = page.open({ clusterId, kind: 'deployment', namespace: own, name: 'web' });
    await page.until('lists are read', () =>
      [...lists, sorted].every(
        ({ state, ended }) => ended !== undefined || (state?.status ?? 'loading') !== 'loading',
      ),
    );
    await page.until('graphs are read', () => graphs.every(({ state }) => state?.status !== 'loading'));
    await page.until('the object is read', () => object.view !== undefined);
    await page.until(
      'the dashboard is read',
      () => (boards[0] as { dashboard?: unknown }).dashboard !== undefined,
    );
    for (const [namespace, name] of [
      [other, canary],
      [own, 'web'],
    ] as const)
      await playground.transport.json({
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { labels: { turn: String(texts.length) } }, spec: { replicas: 2 } },
      });
    const pods = lists[kinds.findIndex(({ id }) => id === 'pod')];
    await page.until(
      'pods came',
      () => JSON.stringify([...(pods?.rows.values() ?? [])]).split('web-').length > 2,
    );
    await page.close();
    return texts;
  }

  it('is in no answer of any call', async () => {
    const seen = await walk(owner.client);
    // The walk finds it for somebody who may see it: in lists, objects, releases' neighbours and the search.
    const found = [...seen].filter(([, text]) => text.includes(canary)).map(([what]) => what);
    expect(found.length).toBeGreaterThan(15);
    for (const [what, text] of await walk(person.client)) {
      expect(text.includes(canary), `${what}: ${text.slice(0, 500)}`).toBe(false);
      // A refusal names the namespace that was asked about; nothing else does.
      if (!what.endsWith(other)) expect(text.includes(other), `${what}: ${text.slice(0, 500)}`).toBe(false);
    }
  });

  it('is in no message of a socket, nor do changes there show', async () => {
    expect((await follow(owner.client)).some((text) => text.includes(canary))).toBe(true);
    for (const text of await follow(person.client)) {
      expect(text.includes(canary), text.slice(0, 500)).toBe(false);
      expect(text.includes(other), text.slice(0, 500)).toBe(false);
    }
  });

  it('is not followed by name: neither list nor object, graph, log or shell', async () => {
    const { page } = await recorded(person.client);
    const list = page.subscribe({ clusterId, kind: 'pod', namespace: other });
    const object = page.open({ clusterId, kind: 'configmap', namespace: other, name: canary });
    const space = page.open({ clusterId, kind: 'namespace', name: other });
    const graph = page.graph(clusterId, { kind: 'deployment', namespace: other, name: canary });
    await page.until('all ended', () =>
      [list, object, space, graph].every(({ ended }) => ended?.status === 403),
    );
    await page.close();
    const pod = await podIn(other);
    const log = openLog(person, { pods: [{ namespace: other, name: pod }] });
    await expect.poll(() => log.ended()?.reason, patience).toBe('denied');
    const both = openLog(person, {
      pods: [
        { namespace: own, name: await podIn(own) },
        { namespace: other, name: pod },
      ],
    });
    await expect.poll(() => both.ended()?.reason, patience).toBe('denied');
    expect(both.texts.join('')).not.toContain(canary);
    const ofKind = openLog(person, { kind: 'deployment', namespace: other, name: canary });
    await expect.poll(() => ofKind.ended()?.reason, patience).toBe('denied');
    const request = JSON.stringify({ of: { pods: [{ namespace: other, name: pod }] } });
    const file = `/api/clusters/${clusterId}/log/file?request=${encodeURIComponent(request)}`;
    expect((await person.client.send('GET', file)).status).toBe(403);
    const shell = openShell(person, other, pod);
    await expect.poll(() => shell.refused, patience).toBe(403);
  });
});

interface OpenSocket {
  readonly texts: string[];
  readonly ended: () => { readonly reason: string; readonly title: string } | undefined;
  closed: number | undefined;
  refused: number | undefined;
}

function openSocket(of: TestPerson, path: string, first?: object): OpenSocket {
  const socket = new WebSocket(`${console.url.replace('http', 'ws')}${path}`, {
    headers: { origin: console.url, cookie: of.client.cookie },
  });
  const texts: string[] = [];
  const opened: OpenSocket = {
    texts,
    closed: undefined,
    refused: undefined,
    ended: () =>
      texts
        .flatMap((text) => (text.startsWith('{"type"') ? [JSON.parse(text) as { type: string }] : []))
        .find(({ type }) => type === 'ended') as { reason: string; title: string; type: string } | undefined,
  };
  socket.on('open', () => {
    if (first !== undefined) socket.send(JSON.stringify(first));
  });
  socket.on('message', (data: Buffer) => texts.push(data.toString('utf8')));
  socket.on('close', (code) => {
    opened.closed = code;
  });
  socket.on('error', () => {});
  socket.on('unexpected-response', (_request, answer) => {
    opened.refused = answer.statusCode ?? 0;
    answer.resume();
  });
  return opened;
}

const openLog = (of: TestPerson, what: object) =>
  openSocket(of, `/api/clusters/${clusterId}/log`, { of: what, follow: true, tailLines: 1 });
const openShell = (of: TestPerson, namespace: string, pod: string) =>
  openSocket(of, `/api/clusters/${clusterId}/pods/${namespace}/${pod}/shell?`);

describe('a namespace that is taken away', () => {
  /** Everything that somebody has open in both namespaces. */
  async function opened() {
    const one = await member(teamRoles.TeamAdmin, [own, other]);
    const { page } = await recorded(one.client);
    const all = page.subscribe({ clusterId, kind: 'pod' });
    const list = page.subscribe({ clusterId, kind: 'pod', namespace: other });
    const kept = page.subscribe({ clusterId, kind: 'pod', namespace: own });
    const [pod, ownPod] = [await podIn(other), await podIn(own)];
    const log = openLog(one, { pods: [{ namespace: other, name: pod }] });
    const ownLog = openLog(one, { pods: [{ namespace: own, name: ownPod }] });
    const shell = openShell(one, other, pod);
    const ownShell = openShell(one, own, ownPod);
    const shows = (namespace: string) =>
      [...all.rows.values()].some((cells) => JSON.stringify(cells).includes(`"${namespace}"`));
    await page.until('lists are live', () => shows(own) && shows(other) && list.rows.size > 0);
    await expect
      .poll(() => [log, ownLog, shell, ownShell].every(({ texts }) => texts.length > 0), patience)
      .toBe(true);
    expect([log, ownLog, shell, ownShell].map(({ ended }) => ended())).toEqual(Array(4).fill(undefined));
    return { one, page, all, list, kept, log, ownLog, shell, ownShell, shows };
  }

  /** Waits until what was open there is over and what is left goes on; answers how long that took, ms. */
  async function ends(of: Awaited<ReturnType<typeof opened>>, timeout: number): Promise<number> {
    const { page, list, kept, log, ownLog, shell, ownShell, shows } = of;
    const from = performance.now();
    await expect
      .poll(
        () => [list.ended?.status, shows(other), log.ended()?.reason, shell.ended()?.reason, shell.closed],
        { timeout, interval: 20 },
      )
      .toEqual([403, false, 'denied', 'denied', 1000]);
    const took = performance.now() - from;
    expect(shows(own)).toBe(true);
    expect([kept.ended, ownLog.ended(), ownShell.ended()]).toEqual([undefined, undefined, undefined]);
    expect(list.ended?.title).toMatch(/permission "pods.view" on .+ in the namespace vault-kx9/);
    await page.close();
    return took;
  }

  it('on one server ends list, log and shell on another within 2 s, and nothing else', async () => {
    const of = await opened();
    const elsewhere = await second.session(owner.id, companyId);
    const answer = elsewhere.send('POST', `/api/team/${of.one.teamId}/clusters`, {
      clusterId: String(clusterId),
      namespaces: [own],
    });
    expect(await ends(of, 10_000)).toBeLessThan(2_000);
    expect((await answer).status).toBe(204);
  });

  it('ends them within seconds although the notice of it was lost', async () => {
    const of = await opened();
    await console.store.db
      .update(teamClusters)
      .set({ namespaces: [own] })
      .where(and(eq(teamClusters.teamId, of.one.teamId), eq(teamClusters.clusterId, clusterId)));
    await ends(of, 3 * rightsInterval);
  });
});

describe('a namespace that a person leaves out', () => {
  const settings = (of: TestPerson) => ({
    exclude: async (excludedNamespaces: string[], server: TestConsole = console) => {
      const client = server === console ? of.client : await server.session(of.id, companyId);
      await client.call('saveUserSettings', { params: { clusterId }, body: { excludedNamespaces } });
    },
  });
  const rowsSay = ({ rows }: { readonly rows: ReadonlyMap<string, unknown> }, text: string) =>
    [...rows.values()].some((cells) => JSON.stringify(cells).includes(text));

  it('is in none of their views of all namespaces, also of those that are open on another server', async () => {
    const one = await member(teamRoles.TeamAdmin, null);
    const { exclude } = settings(one);
    const { page } = await recorded(one.client);
    const pods = page.subscribe({ clusterId, kind: 'pod' });
    const events = page.subscribe({ clusterId, kind: 'event', sort: '-last-seen', limit: 500 });
    const spaces = page.subscribe({ clusterId, kind: 'namespace' });
    const board = page.dashboard(clusterId);
    const tallies = page.tallies(clusterId);
    const lists = [pods, events, spaces];
    const boardSays = () => JSON.stringify(board.dashboard?.events ?? []).includes(canary);
    await page.until('everything shows', () => lists.every((list) => rowsSay(list, other)) && boardSays());
    await page.until('pods are counted', () => tallies.tallies?.['pod']?.total === pods.rows.size);
    const before = pods.rows.size;

    await exclude([other], second);
    await page.until('it is left out', () => !lists.some((list) => rowsSay(list, other)) && !boardSays());
    expect(rowsSay(pods, own)).toBe(true);
    await page.until('it is not counted', () => tallies.tallies?.['pod']?.total === pods.rows.size);
    expect(pods.rows.size).toBeLessThan(before);
    // What nodes run does not become less by that.
    expect(board.dashboard?.capacity?.pods.requested).toBe(before);
    expect(page.grants).toBeGreaterThan(0);

    // By its name, with a namespace or with all that is excluded, it is there.
    const named = page.subscribe({ clusterId, kind: 'pod', namespace: other });
    const whole = page.subscribe({ clusterId, kind: 'pod', withExcluded: true });
    const object = page.open({ clusterId, kind: 'configmap', namespace: other, name: canary });
    await page.until(
      'what is asked for comes',
      () => rowsSay(named, canary) && whole.rows.size === before && object.view !== undefined,
    );

    await exclude([], second);
    await page.until('it is back', () => lists.every((list) => rowsSay(list, other)) && boardSays());
    await page.close();
  });

  it('is not found by searching, but in that namespace; nor counted', async () => {
    const one = await member(teamRoles.TeamAdmin, null);
    const { exclude } = settings(one);
    const search = (query: object) =>
      one.client.call('search', { query: { q: canary, limit: 20, ...query } });
    await expect.poll(async () => (await search({})).total, patience).toBeGreaterThan(0);
    const counts = async () => (await one.client.call('counts', { params: { clusterId }, query: {} })).counts;
    const all = await counts();
    await exclude([other]);
    expect(await search({})).toMatchObject({ total: 0, hits: [] });
    expect((await search({ namespace: other })).total).toBeGreaterThan(0);
    const less = await counts();
    expect(less['secret']).toBeLessThan(all['secret'] ?? 0);
    expect(less['node']).toBe(all['node']);
    // Everybody else sees it.
    const hits = (await owner.client.call('search', { query: { q: canary, limit: 20 } })).total;
    expect(hits).toBeGreaterThan(0);
  });

  it('is named with the cluster, so that a view can say that it is left out', async () => {
    const one = await member(teamRoles.Viewer, null);
    expect((await one.client.call('clusters', {}))[0]).not.toHaveProperty('excludedNamespaces');
    await settings(one).exclude([other, 'lab']);
    expect(await one.client.call('clusters', {})).toMatchObject([{ excludedNamespaces: ['lab', other] }]);
    expect((await owner.client.call('clusters', {}))[0]).not.toHaveProperty('excludedNamespaces');
  });

  it('is given up neither by a grant nor by an API token: nothing of what may be done changes', async () => {
    const one = await member(teamRoles.TeamAdmin, null);
    await settings(one).exclude([other]);
    const scale = await one.client.send(
      'POST',
      pathOf(api.runAction, { clusterId, actionId: 'deployment.restart' }),
      {
        refs: [{ kind: 'deployment', namespace: other, name: canary }],
        dryRun: true,
      },
    );
    expect(scale.status).toBe(200);
    const spaces = await one.client.call('namespaces', { params: { clusterId } });
    expect(spaces.map(({ name }) => name)).toContain(other);
  });

  it('stays in the graph of its own objects, and is in no other', async () => {
    const one = await member(teamRoles.TeamAdmin, null);
    await settings(one).exclude([other]);
    const { page } = await recorded(one.client);
    const inside = page.graph(clusterId, { kind: 'deployment', namespace: other, name: canary });
    await page.until('its own graph comes', () => rowsSay(inside, canary));
    await page.close();
  });
});
