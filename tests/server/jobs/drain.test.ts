import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import type { Outcome } from '../../../src/contract/objects.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { interruptAbandoned, takeOverJobs } from '../../../src/server/jobs/job-rows.ts';
import { StoredJobs } from '../../../src/server/jobs/jobs.ts';
import type { Resumption } from '../../../src/server/jobs/resumption.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { jobs } from '../../../src/server/store/schema/jobs.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import type { TestPerson } from '../harness.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { openLive } from '../live/live-client.ts';

const patience = { timeout: 15_000, interval: 50 };
const pods = '/api/v1/namespaces/shop/pods';
const budgets = '/apis/policy/v1/namespaces/shop/poddisruptionbudgets';

let lab: Lab;
let admin: TestPerson;
let viewer: TestPerson;
let node = '';
let count = 0;

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
  viewer = await lab.member(teamRoles.Viewer);
});
afterAll(() => lab.close());
beforeEach(async () => {
  count += 1;
  node = `node-${count}`;
  await lab.put('/api/v1/nodes', { metadata: { name: node } });
});
afterEach(() => lab.set({ isProtected: false, isReadOnly: false }));

const owner = (kind: string) => [
  {
    apiVersion: 'apps/v1',
    kind,
    name: 'owner',
    uid: '00000000-0000-4000-8000-000000000001',
    controller: true,
  },
];
async function pod(
  name: string,
  more: { owners?: object[]; spec?: object; metadata?: object } = {},
): Promise<void> {
  await lab.put(pods, {
    metadata: {
      name: `${node}-${name}`,
      labels: { app: `${node}-${name}` },
      ownerReferences: more.owners ?? owner('ReplicaSet'),
      ...more.metadata,
    },
    // No kubelet runs here: without a grace period the cluster itself takes a pod away.
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'web', image: 'web:1' }],
      ...more.spec,
    },
  });
  // Budgets count what is ready.
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await lab.merge(`${pods}/${node}-${name}/status`, { status });
}
/** A budget that allows so many evictions of a pod now. */
async function budget(name: string, allowed: number): Promise<void> {
  const metadata = { name: `${node}-${name}` };
  const spec = { minAvailable: 1, selector: { matchLabels: { app: `${node}-${name}` } } };
  const { metadata: made } = await lab.put(budgets, { metadata, spec });
  await allow(name, allowed, made?.generation ?? 1);
}
const allow = (name: string, disruptionsAllowed: number, observedGeneration = 1) =>
  lab.merge(`${budgets}/${node}-${name}/status`, {
    status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration },
  });

async function drain(
  person: TestPerson,
  args: Record<string, unknown> = {},
  more: { dryRun?: boolean; confirm?: string } = {},
): Promise<Outcome> {
  const { outcomes } = await person.client.call('runAction', {
    params: { clusterId: lab.clusterId, actionId: 'node.drain' },
    body: { refs: [{ kind: 'node', name: node }], args: { limit: 10, ...args }, ...more },
  });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('There was no outcome.');
  return outcome;
}
const listed = async (person: TestPerson) =>
  (await person.client.call('jobs', { params: { clusterId: lab.clusterId } })).jobs;
const jobOf = async (id: number | undefined, person = admin): Promise<Job> => {
  const job = (await listed(person)).find((one) => one.id === id);
  if (job === undefined) throw new Error('The job is not listed.');
  return job;
};
const until = (id: number | undefined, isIt: (job: Job) => boolean) =>
  vi.waitFor(async () => {
    const job = await jobOf(id);
    expect(isIt(job), JSON.stringify(job)).toBe(true);
    return job;
  }, patience);
const ended = (id: number | undefined) => until(id, ({ status }) => status !== 'running');
const left = async () => {
  const { items = [] } = await lab.transport.json<{ items?: { metadata?: { name?: string } }[] }>({
    path: pods,
    query: { fieldSelector: `spec.nodeName=${node}` },
  });
  return items.map(({ metadata }) => metadata?.name?.replace(`${node}-`, '') ?? '').sort();
};

/** A person of the test as handlers see them. */
async function personOf({ id, email }: TestPerson): Promise<Member> {
  const [row] = await lab.console.store.db.select().from(memberships).where(eq(memberships.userId, id));
  return {
    id,
    email,
    name: 'Robin Example',
    companyId: row?.companyId ?? 0,
    companyName: '',
    orgRole: 2,
    sessionHash: '',
    providerId: null,
    token: null,
  };
}

describe('the plan of a drain', () => {
  it('names what is evicted, what is lost and what stays, and changes nothing', async () => {
    await pod('web');
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    await pod('lonely', { owners: [] });
    await pod('agent', { owners: owner('DaemonSet') });
    await pod('static', { owners: [], metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    const outcome = await drain(admin, {}, { dryRun: true });
    expect(outcome).toMatchObject({ ok: true, plan: { blocked: expect.stringContaining('would be lost') } });
    expect(outcome.plan?.lines.map(({ group, name }) => [group, name.replace(`shop/${node}-`, '')])).toEqual([
      ['Evicted, with data lost', 'cache'],
      ['Evicted for good', 'lonely'],
      ['Evicted', 'web'],
      ['Stay', 'agent'],
      ['Stay', 'static'],
    ]);
    const willing = await drain(admin, { data: 'evict', unmanaged: 'evict' }, { dryRun: true });
    expect(willing.plan?.blocked).toBeNull();
    expect(await lab.seen(`/api/v1/nodes/${node}`)).not.toHaveProperty('spec.unschedulable');
    expect(await left()).toHaveLength(5);
    expect(await listed(admin)).toEqual([]);
  });

  it('keeps a drain from beginning until what is lost was agreed to', async () => {
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    expect(await drain(admin)).toMatchObject({
      ok: false,
      status: 409,
      message: `shop/${node}-cache keeps data on the node that would be lost. Say that it may be evicted all the same, or move it first.`,
    });
    expect(await lab.seen(`/api/v1/nodes/${node}`)).not.toHaveProperty('spec.unschedulable');
  });
});

describe('the plan of a drain under disruption budgets', () => {
  const planOf = async () => {
    const { plan } = await drain(admin, { data: 'evict' }, { dryRun: true });
    if (plan === undefined) throw new Error('There was no plan.');
    return {
      notes: plan.notes.slice(1),
      lines: plan.lines.map(({ name, about, tone }) => [name.replace(`shop/${node}-`, ''), about, tone]),
    };
  };

  it('names the budget that holds a pod back now, and why', async () => {
    await pod('api');
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    await pod('web');
    await budget('api', 1);
    await budget('cache', 0);
    await budget('web', 0);
    const held = (name: string) =>
      `is held back now: disruption budget ${node}-${name} needs 1 healthy pod and has 1`;
    expect(await planOf()).toEqual({
      lines: [
        ['cache', `keeps data on the node (emptyDir), which is lost; ${held('cache')}`, 'bad'],
        ['api', null, 'info'],
        ['web', held('web'), 'warn'],
      ],
      notes: ['2 pods wait until a disruption budget allows the eviction.'],
    });
    await allow('web', 1);
    await allow('cache', 1);
    expect((await planOf()).notes).toEqual(['No pod has to wait for a disruption budget now.']);
  });

  it('lets only as many pods of one budget go at once as it allows, and the drain evicts them in turn', async () => {
    const labels = { app: `${node}-web` };
    for (const name of ['a', 'b', 'c']) await pod(name, { metadata: { labels } });
    await budget('web', 2);
    expect(await planOf()).toEqual({
      lines: [
        ['a', null, 'info'],
        ['b', null, 'info'],
        ['c', `waits for its turn: disruption budget ${node}-web allows 2 evictions at once`, 'warn'],
      ],
      notes: ['1 pod waits until a disruption budget allows the eviction.'],
    });
    const { job } = await drain(admin);
    await vi.waitFor(async () => expect(await left()).toHaveLength(1), patience);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await allow('web', 1);
    expect(await ended(job)).toMatchObject({ status: 'succeeded' });
  });

  it('says that a pod under two budgets is not evicted, as the drain then finds', async () => {
    await pod('web');
    await budget('web', 1);
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: [`${node}-web`] }] };
    const second = await lab.put(budgets, {
      metadata: { name: `${node}-also` },
      spec: { minAvailable: 1, selector },
    });
    await allow('also', 1, second.metadata?.generation ?? 1);
    expect(await planOf()).toEqual({
      lines: [
        [
          'web',
          `cannot be evicted: more than one disruption budget selects it (${node}-also, ${node}-web)`,
          'bad',
        ],
      ],
      notes: [
        'No pod has to wait for a disruption budget now.',
        'Kubernetes refuses to evict 1 pod under more than one disruption budget: the drain will fail there. Change the budgets so that only one selects each pod.',
      ],
    });
    expect(await ended((await drain(admin)).job)).toMatchObject({ status: 'failed' });
    expect(await left()).toEqual(['web']);
  });

  it('says of a budget that was just changed that its pods are not counted yet', async () => {
    await pod('web');
    await budget('web', 1);
    await lab.merge(`${budgets}/${node}-web`, { spec: { minAvailable: 2 } });
    expect((await planOf()).lines).toEqual([
      [
        'web',
        `is held back now: disruption budget ${node}-web was changed and its pods are not counted yet`,
        'warn',
      ],
    ]);
  });
});

describe('a drain', () => {
  it('cordons, evicts what may go, leaves what stays, and is on record', async () => {
    await pod('web');
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    await pod('agent', { owners: owner('DaemonSet') });
    const page = await openLive(lab.console.url, {
      origin: lab.console.url,
      cookie: viewer.client.cookie,
    });
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'node' });
    await page.until('the nodes are there', () => list.snapshots > 0);
    const outcome = await drain(admin, { data: 'evict' });
    expect(outcome).toMatchObject({ ok: true, message: `Drain of Node ${node} has begun.` });
    const job = await ended(outcome.job);
    expect(job).toMatchObject({
      status: 'succeeded',
      message: 'The node is drained: 2 pods are gone. The node stays cordoned.',
      canCancel: false,
    });
    expect(job.steps.map(({ name, status }) => [name.replace(`shop/${node}-`, ''), status])).toEqual([
      ['Cordon the node', 'done'],
      ['agent', 'skipped'],
      ['cache', 'done'],
      ['web', 'done'],
    ]);
    expect(await left()).toEqual(['agent']);
    expect(await lab.seen(`/api/v1/nodes/${node}`)).toMatchObject({ spec: { unschedulable: true } });
    await page.until('the page was told', () => page.jobs.includes(lab.clusterId));
    await page.close();
    const rows = await lab.console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.userId, admin.id));
    expect(rows.filter(({ action }) => action === 'node.drain').at(-1)).toMatchObject({
      status: 200,
      subject: { names: node, dryRun: false },
    });
    // The end is put on record after the job says so.
    await vi.waitFor(async () => {
      const all = await lab.console.store.db
        .select()
        .from(audit)
        .orderBy(audit.id)
        .where(eq(audit.userId, admin.id));
      expect(all.at(-1)).toMatchObject({
        action: 'node.drain.end',
        status: 200,
        subject: { names: node, outcome: 'succeeded', done: 3, failed: 0 },
      });
    }, patience);
  });

  it('waits for a disruption budget and goes on when that allows it', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    expect(await left()).toEqual(['web']);
    await allow('web', 1);
    expect(await ended(job)).toMatchObject({ status: 'succeeded' });
    expect(await left()).toEqual([]);
  });

  it('is seen by whom may view nodes, and stopped by whom may begin it; there is one at a time', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(admin);
    await until(job, ({ steps }) => steps.some(({ status }) => status === 'running'));
    expect(await drain(admin)).toMatchObject({
      ok: false,
      status: 409,
      message: `${node} already has a job in progress. Wait until it ends, or cancel it first.`,
    });
    const seen = await jobOf(job, viewer);
    expect(seen).toMatchObject({ status: 'running', canCancel: false, startedBy: 'Robin Example' });
    const params = { clusterId: lab.clusterId, jobId: seen.id };
    expect(await refusal(viewer.client.call('cancelJob', { params }))).toMatchObject({ status: 403 });
    const stranger = await lab.console.person({ companyId: await lab.console.company(), isOwner: true });
    expect(await refusal(stranger.client.call('cancelJob', { params }))).toMatchObject({ status: 404 });
    await admin.client.call('cancelJob', { params });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: 'Cancelled after 1 of 2 steps. The node stays cordoned: uncordon it to allow new pods on it.',
    });
    expect(await left()).toEqual(['web']);
    expect(await refusal(admin.client.call('cancelJob', { params }))).toMatchObject({ status: 409 });
  });

  it('is refused to who may not, on a read-only cluster, and without the name of a protected one', async () => {
    expect(await refusal(drain(viewer))).toMatchObject({ status: 403 });
    await lab.set({ isReadOnly: true });
    expect(await refusal(drain(admin))).toMatchObject({ status: 403 });
    await lab.set({ isReadOnly: false, isProtected: true });
    expect(await refusal(drain(admin))).toMatchObject({ status: 428 });
    const outcome = await drain(admin, {}, { confirm: lab.name });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
  });

  it('ends where the grant of who began it is withdrawn', async () => {
    const leaver = await lab.member(teamRoles.TeamAdmin);
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(leaver);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await lab.console.store.db.delete(teamMembers).where(eq(teamMembers.userId, leaver.id));
    await allow('web', 1);
    // Nobody was told: the next eviction, or the next look at rights, finds it.
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: `Stopped after 1 of 2 steps. Robin Example, who began it, no longer reaches ${lab.name}. The node stays cordoned: uncordon it to allow new pods on it.`,
    });
    expect(await left()).toEqual(['web']);
  });

  it('ends when the cluster becomes read-only', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await lab.set({ isReadOnly: true });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: expect.stringContaining(`${lab.name} is read-only in this console`),
    });
  });

  it('ends when the cluster is asked as each person from now on', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await lab.set({ isImpersonating: true });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: expect.stringContaining(`${lab.name} is asked as each person from now on`),
    });
    expect(await left()).toEqual(['web']);
    await lab.set({ isImpersonating: false });
  });

  it('says of itself that it was interrupted when its server ends', async () => {
    const { store, services } = lab.console;
    const own = createAudit(store, services.log, createTriesRetention(store, services.log, Date.now));
    const other = new StoredJobs({ store, audit: own, grants: services.grants, log: services.log });
    const cluster = await services.grants.cluster(await personOf(admin), lab.clusterId);
    const id = await other.start({
      cluster,
      person: await personOf(admin),
      action: 'node.drain',
      ref: { kind: 'node', name: node },
      prepared: {
        title: 'Wait',
        namespaces: null,
        needs: [],
        afterCancel: '',
        run: async ({ signal }) =>
          await new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      },
      address: '127.0.0.1',
      requestId: 'test',
    });
    expect(await jobOf(id)).toMatchObject({ status: 'running' });
    await other.close();
    expect(await jobOf(id)).toMatchObject({ status: 'interrupted', finishedAt: expect.any(String) });
  });

  it('ends when it is cancelled elsewhere and the notice of that is lost', async () => {
    const { store, services } = lab.console;
    const own = createAudit(store, services.log, createTriesRetention(store, services.log, Date.now));
    const other = new StoredJobs({
      store,
      audit: own,
      grants: services.grants,
      log: services.log,
      clock: createFastClock(20),
    });
    const id = await other.start({
      cluster: await services.grants.cluster(await personOf(admin), lab.clusterId),
      person: await personOf(admin),
      action: 'node.drain',
      ref: { kind: 'node', name: node },
      prepared: {
        title: 'Wait',
        namespaces: null,
        needs: [],
        afterCancel: 'Nothing was done.',
        run: async ({ signal }) =>
          await new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      },
      address: '127.0.0.1',
      requestId: 'test',
    });
    await store.db.update(jobs).set({ cancelledBy: 'Robin' }).where(eq(jobs.id, id));
    expect(await ended(id)).toMatchObject({ status: 'cancelled' });
    await other.close();
  });

  it('that a server left behind is marked as interrupted', async () => {
    const { store, log: _log, services } = lab.console;
    const values = { companyId: 1, clusterId: lab.clusterId, actor: 'Robin', action: 'node.drain' };
    const [cluster] = await store.db.select().from(jobs).limit(1);
    const [row] = await store.db
      .insert(jobs)
      .values({
        ...values,
        companyId: cluster?.companyId ?? 1,
        kind: 'node',
        namespace: '',
        name: node,
        title: 'Drain',
        message: '',
        server: 'gone',
        beatAt: sql`now() - interval '5 minutes'`,
      })
      .returning();
    const own = createAudit(store, services.log, createTriesRetention(store, services.log, Date.now));
    const other = new StoredJobs({ store, audit: own, grants: services.grants, log: services.log });
    expect(await ended(row?.id)).toMatchObject({
      status: 'interrupted',
      message: expect.stringContaining('stopped before the job was done'),
    });
    await other.close();
  });

  it('stops without a word where another server took its own for dead and goes on with it', async () => {
    const { store, services } = lab.console;
    const own = createAudit(store, services.log, createTriesRetention(store, services.log, Date.now));
    const frozen = new StoredJobs({
      store,
      audit: own,
      grants: services.grants,
      log: services.log,
      clock: createFastClock(20),
    });
    let isStopped = false;
    const id = await frozen.start({
      cluster: await services.grants.cluster(await personOf(admin), lab.clusterId),
      person: await personOf(admin),
      action: 'node.drain',
      ref: { kind: 'node', name: node },
      prepared: {
        title: 'Wait',
        namespaces: null,
        needs: [],
        afterCancel: '',
        again: { args: {}, uid: '' },
        run: async ({ signal }) =>
          await new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              isStopped = true;
              reject(new Error('stopped'));
            });
          }),
      },
      address: '127.0.0.1',
      requestId: 'test',
    });
    await store.db.update(jobs).set({ server: 'another' }).where(eq(jobs.id, id));
    await vi.waitUntil(() => isStopped, patience);
    await frozen.close();
    const [row] = await store.db.select().from(jobs).where(eq(jobs.id, id));
    expect(row).toMatchObject({ server: 'another', status: 'running', message: 'It begins.' });
    await store.db.delete(jobs).where(eq(jobs.id, id));
  });
});

describe('a drain whose server ended', () => {
  /** The row of a drain that another server began, evicted one pod of, and released. */
  async function leave(
    person: TestPerson,
    more: Partial<typeof jobs.$inferInsert> = {},
    of: Partial<Resumption> = {},
  ): Promise<number | undefined> {
    const { store } = lab.console;
    const { companyId } = await personOf(person);
    const about = await lab.seen(`/api/v1/nodes/${node}`);
    const resumption: Resumption = {
      args: { data: 'stop', unmanaged: 'stop', limit: 10 },
      uid: about?.metadata?.uid ?? '',
      needs: [{ need: 'resources.manage', place: 'cluster' }],
      afterCancel: 'The node stays cordoned.',
      cluster: { name: lab.name, isImpersonating: false },
      tokenId: null,
      actor: person.email,
      address: '127.0.0.1',
      requestId: 'test',
      ...of,
    };
    const [row] = await store.db
      .insert(jobs)
      .values({
        companyId,
        clusterId: lab.clusterId,
        userId: person.id,
        actor: 'Robin Example',
        action: 'node.drain',
        kind: 'node',
        namespace: '',
        name: node,
        title: 'Drain',
        message: 'Its server stopped.',
        steps: [
          { name: 'Cordon the node', status: 'done', message: null },
          { name: `shop/${node}-first`, status: 'done', message: 'gone' },
          { name: `shop/${node}-web`, status: 'waiting', message: null },
        ],
        server: '',
        resumption,
        ...more,
      })
      .returning();
    await store.channel.notify('jobs', { clusterId: lab.clusterId, jobId: row?.id ?? 0, isFree: true });
    return row?.id;
  }

  it('goes on on another: what is gone counts, and it says that it moved', async () => {
    await pod('web');
    await lab.merge(`/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
    const job = await ended(await leave(admin));
    expect(job).toMatchObject({
      status: 'succeeded',
      message:
        'The node is drained: 2 pods are gone. The node stays cordoned. Its server ended once, and another went on with it.',
    });
    expect(job.steps.map(({ name, status }) => [name.replace(`shop/${node}-`, ''), status])).toEqual([
      ['first', 'done'],
      ['Cordon the node', 'done'],
      ['web', 'done'],
    ]);
  });

  it.each<
    [
      string,
      Job['status'],
      string,
      { row?: Partial<typeof jobs.$inferInsert>; of?: Partial<Resumption>; isGone?: boolean },
    ]
  >([
    ['the grant of who began it is gone', 'cancelled', 'no longer reaches', { isGone: true }],
    [
      'its API token is gone',
      'cancelled',
      'did so by an API token that is no longer valid',
      { of: { tokenId: 4711 } },
    ],
    ['its person is gone', 'cancelled', 'no longer belongs to the organisation', { row: { userId: null } }],
    [
      'somebody cancelled it meanwhile',
      'cancelled',
      'Cancelled after 2 of 3',
      { row: { cancelledBy: 'Kim' } },
    ],
    [
      'its node was replaced by one of that name',
      'failed',
      'is another one by now',
      { of: { uid: 'other' } },
    ],
    [
      'its time is over',
      'failed',
      'The 10 minutes were over before a server could go on with it',
      { row: { startedAt: new Date(Date.now() - 11 * 60_000).toISOString() } },
    ],
  ])(
    'evicts nothing where %s: it is %s and says why',
    async (_what, status, message, { row, of, isGone }) => {
      const person = isGone === true ? await lab.member(teamRoles.TeamAdmin) : admin;
      if (isGone === true)
        await lab.console.store.db.delete(teamMembers).where(eq(teamMembers.userId, person.id));
      await pod('web');
      const job = await ended(await leave(person, row, of));
      expect(job).toMatchObject({
        status,
        message: expect.stringContaining(message),
        steps: expect.arrayContaining([
          expect.objectContaining({ name: `shop/${node}-first`, status: 'done' }),
        ]),
      });
      expect(await lab.seen(`${pods}/${node}-web`)).toBeDefined();
    },
  );

  it.each([
    ['began more than a day ago', { startedAt: new Date(Date.now() - 26 * 3_600_000).toISOString() }],
    ['moved five times, as one may that ends its servers', { moves: 5 }],
  ])('is left to a person where it %s', async (_what, values) => {
    const { db } = lab.console.store;
    const beatAt = new Date(Date.now() - 60_000).toISOString();
    const id = await leave(admin, { server: 'gone', beatAt, ...values });
    expect((await takeOverJobs(db, 'another', [])).map((row) => row.id)).not.toContain(id);
    await interruptAbandoned(db, { abandoned: 'It was interrupted.', movedTooOften: 'It was.' });
    const [row] = await db
      .select()
      .from(jobs)
      .where(eq(jobs.id, id ?? 0));
    expect(row).toMatchObject({ status: 'interrupted' });
  });
});
