import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { createTroubleStore } from '../../../src/server/live/dashboard/trouble-store.ts';
import type { RememberedTrouble } from '../../../src/server/live/dashboard/trouble-memory.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let here: TestConsole;
/** Another server over the same database. */
let there: TestConsole;

beforeAll(async () => {
  here = await startConsole();
  there = await startConsole({ config: { databaseUrl: here.services.config.databaseUrl } });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const object = { kind: 'deployment', namespace: 'shop', name: 'web' };
const causes = [{ rule: 'pod.crash-loop', extent: 2 }];
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const acknowledge = (person: TestPerson, clusterId: number, more: object = {}) =>
  person.client.send('PUT', `/api/clusters/${clusterId}/acknowledgements`, {
    object,
    causes,
    until: inHours(8),
    ...more,
  });
const objectsOf = async (person: TestPerson) =>
  (await person.client.call('acknowledgements', {})).map((one) => one.object);

/** An Owner, a Viewer of the whole cluster, and one of the namespace `default` alone. */
async function office() {
  const companyId = await here.company();
  const clusterId = await here.cluster(companyId, 'production');
  const owner = await here.person({ companyId, isOwner: true });
  const viewer = await here.person({ companyId });
  await here.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
  const narrow = await here.person({ companyId });
  const narrowTeam = await here.grant(companyId, narrow.id, clusterId, teamRoles.Viewer, ['default', 'shop']);
  return { clusterId, owner, viewer, narrow, narrowTeam };
}

describe('trouble that people acknowledge', () => {
  it('is each person’s own, on one cluster of one company', async () => {
    const { clusterId, owner, viewer } = await office();
    const other = await office();
    expect((await acknowledge(viewer, clusterId)).status).toBe(200);
    expect(await viewer.client.call('acknowledgements', {})).toMatchObject([
      { clusterId, object, causes, until: expect.stringMatching(/Z$/) },
    ]);
    for (const person of [owner, other.owner, other.viewer]) expect(await objectsOf(person)).toEqual([]);
    // A cluster of another company is none.
    expect((await acknowledge(other.owner, clusterId)).status).toBe(404);
  });

  it('is stored once for an object, with the latest end, until somebody ends it', async () => {
    const { clusterId, viewer, owner } = await office();
    await acknowledge(viewer, clusterId);
    const until = inHours(24);
    await acknowledge(viewer, clusterId, { until });
    const [stored, ...others] = await viewer.client.call('acknowledgements', {});
    expect([stored?.until, others]).toEqual([until, []]);
    const params = { acknowledgementId: stored?.id ?? '' };
    const none = { status: 404, title: 'You no longer acknowledge this problem.' };
    await expect(owner.client.call('unacknowledge', { params })).rejects.toMatchObject(none);
    expect(await objectsOf(viewer)).toEqual([object]);
    await viewer.client.call('unacknowledge', { params });
    expect(await objectsOf(viewer)).toEqual([]);
    await expect(viewer.client.call('unacknowledge', { params })).rejects.toMatchObject(none);
  });

  it('grants no sight: what one may not view is neither acknowledged nor listed', async () => {
    const { clusterId, narrow, narrowTeam } = await office();
    const hidden = { ...object, namespace: 'vault' };
    expect((await acknowledge(narrow, clusterId, { object: hidden })).status).toBe(403);
    expect((await acknowledge(narrow, clusterId, { object: { kind: 'node', name: 'n1' } })).status).toBe(403);
    expect((await acknowledge(narrow, clusterId)).status).toBe(200);
    expect(await objectsOf(narrow)).toEqual([object]);
    await here.services.store.db.delete(teamClusters).where(eq(teamClusters.teamId, narrowTeam));
    expect(await objectsOf(narrow)).toEqual([]);
  });

  it.each([
    ['an end that has passed', { until: new Date(Date.now() - 1_000).toISOString() }],
    ['an end in two months', { until: inHours(24 * 60) }],
    ['an end that is no time', { until: 'tomorrow' }],
    ['no cause', { causes: [] }],
    ['an extent that is no number', { causes: [{ rule: 'pod.oom', extent: 'many' }] }],
  ])('is refused with %s', async (_, more) => {
    const { clusterId, viewer } = await office();
    expect((await acknowledge(viewer, clusterId, more)).status).toBe(400);
    expect(await objectsOf(viewer)).toEqual([]);
  });
});

describe('since when trouble lasts', () => {
  const trouble: RememberedTrouble = {
    uid: 'web',
    rule: 'pod.crash-loop',
    kind: 'pod',
    since: 1_780_000_000,
    isSinceLatest: true,
    extent: 2,
    worseAt: null,
  };

  it('is the earliest that any server saw, and its extent the greatest', async () => {
    const { clusterId } = await office();
    const [one, other] = [here, there].map(({ services }) => createTroubleStore(services.store, clusterId));
    expect(await one?.keep([trouble])).toEqual([trouble]);
    const exact = { ...trouble, since: trouble.since - 100, isSinceLatest: false };
    expect(await other?.keep([exact])).toEqual([exact]);
    expect(await one?.keep([{ ...trouble, since: trouble.since + 300 }])).toEqual([exact]);
    // Both see that it got worse: the first tells when.
    const worse = { ...exact, extent: 3, worseAt: trouble.since + 400 };
    expect(await one?.keep([worse])).toEqual([worse]);
    expect(await other?.keep([{ ...worse, worseAt: trouble.since + 402 }])).toEqual([worse]);
    expect(await other?.read()).toEqual([worse]);
    await one?.forget([trouble]);
    expect(await other?.read()).toEqual([]);
  });
});
