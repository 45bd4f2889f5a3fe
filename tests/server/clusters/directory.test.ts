import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import {
  type PlaygroundProcess,
  startPlaygroundProcess,
} from '../../../src/server/boot/playground-process.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { untilReady } from '../until-ready.ts';
import { type ApiServer, json, startApiServer, targetFor } from './api-server.ts';
import { type Authority, makeAuthority } from './pki.ts';
import { openSetting, type Setting } from './setting.ts';

const token = 'CANARY-TOKEN-51c0ffee';
let authority: Authority;
let playground: PlaygroundProcess;
let pasted: string;
let setting: Setting;
let server: ApiServer;

beforeAll(async () => {
  authority = await makeAuthority();
  const quiet = await openSetting();
  playground = startPlaygroundProcess(quiet.log, ['--seed', 'none', '--controllers', 'off']);
  await untilReady(playground);
  const target = await playground.target();
  pasted = toKubeconfig(targetFor(target.server, target.ca, { credential: { token: target.token } }));
  await quiet.close();
});

afterAll(async () => {
  await playground.close();
});

beforeEach(async () => {
  setting = await openSetting();
  server = await startApiServer(authority, (seen, response) => {
    if (seen.url === '/version') json(response, 200, { gitVersion: 'v1.33.0' });
    else json(response, 201, { status: { allowed: true } });
  });
});

afterEach(async () => {
  await server.close();
  await setting.close();
});

const content = (url = server.url, own = token) =>
  toKubeconfig(targetFor(url, authority.pem, { credential: { token: own } }));
const input = (name: string, kubeConfigContent = content()) => ({ name, description: '', kubeConfigContent });

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error('expected a Problem', { cause: error });
}

describe('adding a cluster', () => {
  it('reaches a playground by its pasted kubeconfig and says its version', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('second', pasted));
    expect(row).toMatchObject({ name: 'second', source: 'kubeconfig', colour: 1, credentialVersion: 1 });
    expect(directory.state(row.id)).toMatchObject({
      status: 'reachable',
      version: expect.stringMatching(/^v1\./),
    });
    const transport = await directory.transport(row.id);
    expect(transport).toBe(await directory.transport(row.id));
    const list = await transport.json<{ kind: string }>({
      path: '/api/v1/namespaces',
      query: { limit: 500 },
    });
    expect(list.kind).toBe('NamespaceList');
  });

  it('refuses loopback addresses without an exception, and says what to do', async () => {
    const directory = await setting.directory({
      config: { allowCidrs: [], metricsSourceCidrs: [], kubeconfigFile: null, billing: null },
    });
    const problem = await problemOf(directory.add(setting.owner, input('mine')));
    expect(problem).toMatchObject({
      status: 400,
      title: expect.stringMatching(/loopback.*--kubeconfig FILE/),
    });
    expect(directory.read(content())).toMatchObject([
      { name: 'cluster', problem: expect.stringMatching(/loopback/) },
    ]);
    expect(server.connections()).toBe(0);
  });

  it('stores nothing when the cluster does not answer, and says why', async () => {
    const directory = await setting.directory();
    const url = server.url;
    await server.close();
    const problem = await problemOf(directory.add(setting.owner, input('gone', content(url))));
    expect(problem).toMatchObject({
      status: 502,
      title: expect.stringMatching(/^gone refused the connection/),
      where: { source: 'cluster', cluster: 'gone' },
    });
    expect(await setting.store.db.select().from(clusters)).toEqual([]);
  });

  it('stores nothing when the credential is rejected or the server is another', async () => {
    const directory = await setting.directory();
    server.answer = (_seen, response) => json(response, 401, { kind: 'Status', message: 'Unauthorized' });
    expect(await problemOf(directory.add(setting.owner, input('prod')))).toMatchObject({
      status: 502,
      title: "prod rejected the console's credential (401). Replace its kubeconfig.",
    });
    server.answer = (_seen, response) => json(response, 200, { secretOfAnotherServer: 1 });
    expect((await problemOf(directory.add(setting.owner, input('prod')))).title).toMatch(
      /not as a Kubernetes API server does/,
    );
    expect(await setting.store.db.select().from(clusters)).toEqual([]);
  });

  it('warns of a credential that may not list pods, and adds the cluster all the same', async () => {
    const directory = await setting.directory();
    server.answer = (seen, response) => {
      if (seen.url === '/version') json(response, 200, { gitVersion: 'v1.33.0' });
      else json(response, 201, { status: { allowed: false } });
    };
    const row = await directory.add(setting.owner, input('prod'));
    expect(directory.state(row.id)).toMatchObject({
      status: 'reachable',
      message: 'The credential of prod may not list pods in all namespaces.',
    });
  });

  it('takes a name once in a company, whoever comes first, and again in another', async () => {
    const directory = await setting.directory();
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => directory.add(setting.owner, input('prod'))),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const problem = await problemOf(directory.add(setting.owner, input('prod')));
    expect(problem).toMatchObject({
      status: 409,
      title: 'A cluster named "prod" already exists. Choose another name.',
    });
    const other = await setting.person('other company');
    expect((await directory.add(other, input('prod'))).companyId).toBe(other.companyId);
  });

  it('gives each cluster the least used colour, also when several come at once', async () => {
    const directory = await setting.directory();
    const rows = await Promise.all(
      Array.from({ length: 8 }, (_unused, index) => directory.add(setting.owner, input(`c${index}`))),
    );
    expect(rows.map((row) => row.colour).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const third = rows.find((row) => row.colour === 3);
    await directory.remove(setting.owner, third?.id ?? 0);
    expect((await directory.add(setting.owner, input('ninth'))).colour).toBe(3);
    expect((await directory.add(setting.owner, input('tenth'))).colour).toBe(1);
  });
});

describe('a stored credential', () => {
  it('is sealed for its row, and shows in no row, state, problem or log line', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    await directory.probe(row.id);
    server.answer = (seen, response) =>
      json(response, 403, { kind: 'Status', message: `no: ${seen.headers.authorization ?? ''}`, code: 403 });
    const problem = await problemOf((await directory.transport(row.id)).json({ path: '/api/v1/pods' }));
    await problemOf(directory.add(setting.owner, input('bad', content('https://127.0.0.1:1'))));
    await problemOf(directory.add(setting.owner, input('worse', `{"token":"${token}"`)));
    await problemOf(directory.add(setting.owner, input('worst', content(`https://me:${token}@10.0.0.1`))));
    const [stored] = await setting.store.db.select().from(clusters);
    const shown = [
      JSON.stringify(row),
      JSON.stringify(stored),
      stored?.kubeconfig?.toString('latin1'),
      JSON.stringify(directory.state(row.id)),
      JSON.stringify(problem.toBody()),
      setting.logged(),
    ].join('\n');
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(Buffer.from(token).toString('base64').slice(0, 20));
  });

  it('serves no other row', async () => {
    const directory = await setting.directory();
    const one = await directory.add(setting.owner, input('one'));
    const two = await directory.add(setting.owner, input('two'));
    await setting.store.db
      .update(clusters)
      .set({ kubeconfig: one.kubeconfig })
      .where(eq(clusters.id, two.id));
    const problem = await problemOf(directory.transport(two.id));
    expect(problem.title).toMatch(
      /^The stored credential of two cannot be decrypted with this server's keys\./,
    );
  });

  it('that cannot be opened is the state of its own cluster, until its kubeconfig is replaced', async () => {
    const before = await setting.directory();
    const broken = await before.add(setting.owner, input('broken'));
    const sound = await before.add(setting.owner, input('sound'));
    const unreadable = Buffer.from('\u0001\u0002k9 and so on', 'latin1');
    await setting.store.db.update(clusters).set({ kubeconfig: unreadable }).where(eq(clusters.id, broken.id));

    const directory = await setting.directory();
    expect(await directory.probe(sound.id)).toMatchObject({ status: 'reachable' });
    expect(await directory.probe(broken.id)).toMatchObject({ status: 'unreachable' });
    expect(directory.state(broken.id).message).toBe(
      "The stored credential of broken cannot be decrypted with this server's keys. An Owner can replace its " +
        'kubeconfig under Clusters; or start the server with the key that the credential was encrypted with.',
    );
    const [row] = await setting.store.db.select().from(clusters).where(eq(clusters.id, broken.id));
    expect(row?.kubeconfig?.equals(unreadable)).toBe(true);

    await directory.replace(setting.owner, broken.id, { kubeConfigContent: content() });
    expect(await directory.probe(broken.id)).toMatchObject({ status: 'reachable' });
  });
});

describe('replacing a credential', () => {
  it('keeps the id, ends what ran with the old one and tells the listeners of every replica', async () => {
    const directory = await setting.directory();
    const replica = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    const before = await directory.transport(row.id);
    const elsewhere = await replica.transport(row.id);
    const told: string[] = [];
    directory.onChange((id) => told.push(`here ${id}`));
    replica.onChange((id) => told.push(`there ${id}`));

    const after = await directory.replace(setting.owner, row.id, {
      kubeConfigContent: content(server.url, 'another'),
    });
    expect(after).toMatchObject({ id: row.id, credentialVersion: 2 });
    await expect.poll(() => new Set(told)).toEqual(new Set([`here ${row.id}`, `there ${row.id}`]));
    for (const [owner, old] of [
      [directory, before],
      [replica, elsewhere],
    ] as const) {
      const transport = await owner.transport(row.id);
      expect(transport.credential).not.toBe(old.credential);
      await transport.json({ path: '/version' });
      expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer another');
      await expect(old.json({ path: '/version' })).rejects.toThrow(/was replaced/);
    }
    expect(directory.state(row.id).status).toBe('reachable');
  });

  it('leaves the old one in place when the new one does not work', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    server.answer = (seen, response) => {
      if (seen.headers.authorization === `Bearer ${token}`) json(response, 200, { gitVersion: 'v1.33.0' });
      else json(response, 401, { kind: 'Status' });
    };
    await problemOf(
      directory.replace(setting.owner, row.id, { kubeConfigContent: content(server.url, 'wrong') }),
    );
    expect((await directory.probe(row.id)).status).toBe('reachable');
  });

  it('is for Owners of its company and for pasted clusters only', async () => {
    const directory = await setting.directory({ playground });
    const row = await directory.add(setting.owner, input('prod'));
    const stranger = await setting.person('other company');
    const change = { kubeConfigContent: content() };
    expect((await problemOf(directory.replace(stranger, row.id, change))).status).toBe(404);
    expect((await problemOf(directory.remove(stranger, row.id))).status).toBe(404);
    const rows = await setting.store.db.select().from(clusters).where(eq(clusters.source, 'playground'));
    const problem = await problemOf(directory.replace(setting.owner, rows[0]?.id ?? 0, change));
    expect(problem).toMatchObject({
      status: 409,
      title: expect.stringMatching(/comes from this console itself/),
    });
  });
});

describe('removing a cluster', () => {
  it('takes row, connection and state, and tells who may be looking', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    const transport = await directory.transport(row.id);
    const told: string[] = [];
    setting.store.channel.on('clusters', ({ clusterId }) => told.push(`cluster ${clusterId}`));
    setting.store.channel.on('grants', ({ companyId }) => told.push(`grants ${companyId}`));
    await directory.remove(setting.owner, row.id);
    expect(await problemOf(directory.transport(row.id))).toMatchObject({
      status: 404,
      title: 'There is no such cluster.',
    });
    expect(directory.state(row.id)).toEqual({ status: 'unknown' });
    await expect(transport.json({ path: '/version' })).rejects.toThrow(/was replaced/);
    await expect
      .poll(() => told)
      .toEqual(expect.arrayContaining([`cluster ${row.id}`, `grants ${setting.owner.companyId}`]));
  });
});

describe('the state of a cluster', () => {
  it('is learnt once for everybody who asks at the same time', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    const asked = server.seen.length;
    const states = await Promise.all([1, 2, 3, 4].map(() => directory.probe(row.id)));
    expect(new Set(states.map((state) => state.checkedAt)).size).toBe(1);
    expect(server.seen.slice(asked).filter((seen) => seen.url === '/version')).toHaveLength(1);
  });

  it('follows the requests of others: gone, back, rejected', async () => {
    const directory = await setting.directory();
    const row = await directory.add(setting.owner, input('prod'));
    const transport = await directory.transport(row.id);
    const { port } = server;
    const { answer } = server;
    const { reachedAt } = directory.state(row.id);
    expect(reachedAt).toBeDefined();
    await server.close();
    await problemOf(transport.json({ path: '/version' }));
    expect(directory.state(row.id)).toMatchObject({
      status: 'unreachable',
      version: 'v1.33.0',
      // It says since when nothing came.
      reachedAt,
      message: expect.stringMatching(/refused/),
    });
    server = await startApiServer(authority, answer, { port });
    await transport.json({ path: '/version' });
    expect(directory.state(row.id)).toMatchObject({ status: 'reachable', version: 'v1.33.0' });
    server.answer = (_seen, response) => json(response, 401, { kind: 'Status' });
    await problemOf(transport.json({ path: '/version' }));
    expect(directory.state(row.id)).toMatchObject({
      status: 'forbidden',
      message: expect.stringMatching(/rejected/),
    });
  });

  it('says that nothing came in time, and never throws', async () => {
    const directory = await setting.directory({ probeMs: 300 });
    const row = await directory.add(setting.owner, input('prod'));
    server.answer = () => {};
    expect(await directory.probe(row.id)).toMatchObject({
      status: 'unreachable',
      message: 'prod did not answer within 0.3 s.',
    });
    expect(await directory.probe(999_999)).toMatchObject({
      status: 'unreachable',
      message: 'There is no such cluster.',
    });
  });

  it('of one dead cluster slows no other', async () => {
    const directory = await setting.directory();
    const silent = await startApiServer(authority, server.answer);
    const dead = await directory.add(setting.owner, input('dead', content(silent.url)));
    silent.answer = () => {};
    const row = await directory.add(setting.owner, input('prod'));
    const hanging = await directory.transport(dead.id);
    let answered = 0;
    const waiting = Array.from({ length: 40 }, () =>
      problemOf(hanging.json({ path: '/version', timeoutMs: 15_000 })).finally(() => {
        answered += 1;
      }),
    );
    const transport = await directory.transport(row.id);
    for (let round = 0; round < 20; round += 1) await transport.json({ path: '/version' });
    expect(answered).toBe(0);
    await silent.close();
    const problems = await Promise.all(waiting);
    expect(problems.every((problem) => problem instanceof ClusterProblem)).toBe(true);
  });
});

describe('the playground', () => {
  const own = () => setting.store.db.select().from(clusters).where(eq(clusters.source, 'playground'));

  it('belongs to the first company, is reached on loopback by its own exception, and that one only', async () => {
    const config = { allowCidrs: [], metricsSourceCidrs: [], kubeconfigFile: null, billing: null };
    const directory = await setting.directory({ config, playground });
    const [row] = await own();
    expect(row).toMatchObject({ companyId: setting.owner.companyId, name: 'playground' });
    expect(await directory.probe(row?.id ?? 0)).toMatchObject({ status: 'reachable' });
    expect((await problemOf(directory.add(setting.owner, input('mine', pasted)))).title).toMatch(/loopback/);
  });

  it('comes once: neither a second replica nor a restart brings back what a person removed', async () => {
    const directory = await setting.directory({ playground });
    await setting.directory({ playground });
    const rows = await own();
    expect(rows).toHaveLength(1);
    await directory.remove(setting.owner, rows[0]?.id ?? 0);
    await setting.directory({ playground });
    await directory.adopt();
    expect(await own()).toHaveLength(0);
  });

  it('is reached again after it was started again, and listeners hear of it', async () => {
    let target = targetFor(server.url, authority.pem);
    const restarts = new Set<() => void>();
    const directory = await setting.directory({
      playground: {
        hasStaging: false,
        target: async () => ({
          server: target.server,
          ca: authority.pem,
          token: target.credential.token ?? '',
        }),
        onRestart: (listener) => {
          restarts.add(listener);
          return () => restarts.delete(listener);
        },
      },
    });
    const id = (await own())[0]?.id ?? 0;
    const before = await directory.transport(id);
    const changed: number[] = [];
    directory.onChange((clusterId) => changed.push(clusterId));
    target = targetFor(server.url, authority.pem, { credential: { token: 'second-life' } });
    for (const restart of restarts) restart();
    expect(changed).toEqual([id]);
    const after = await directory.transport(id);
    expect(after.credential).not.toBe(before.credential);
    await after.json({ path: '/version' });
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer second-life');
  });
});
