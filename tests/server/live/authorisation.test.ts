import { and, eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { liveClose } from '../../../src/contract/live-socket.ts';
import { orgRoles, permissionsOfRole, teamRoles } from '../../../src/contract/permissions.ts';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { Roles } from '../../../src/server/organisation/roles.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { createFastClock } from './fast-clock.ts';
import { shareLive } from './live-console.ts';
import { createScriptedTransport, listOf, podOf } from './script-transport.ts';
import { sendNotice } from '../notice.ts';

const event = (type: string, object: object) => ({ type, object });

describe('authorisation', () => {
  const lab = shareLive();
  const { open, cluster } = lab;

  test('comes before anything shared: without a grant there is no list, no watch, no row', async () => {
    const { transport, id } = await cluster();
    const stranger = await lab.live.person();
    const client = await open(stranger);
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('ended', () => list.ended !== undefined);
    expect(list.ended).toEqual({ status: 404, title: 'There is no such cluster.' });
    expect(transport.calls).toEqual([]);
  });

  test('lets whoever lacks a cluster make no series of metrics, and measures first messages and refusals of others', async () => {
    const { id } = await cluster();
    const stranger = await open(await lab.live.person());
    const absent = stranger.subscribe({ clusterId: 2_000_000, kind: 'pod' });
    await stranger.until('ended', () => absent.ended !== undefined);
    const member = await lab.live.person();
    await lab.live.grant(member, id, teamRoles.Viewer);
    const client = await open(member);
    const pods = client.subscribe({ clusterId: id, kind: 'pod' });
    const secrets = client.subscribe({ clusterId: id, kind: 'secret' });
    await client.until('live and ended', () => pods.state?.status === 'live' && secrets.ended !== undefined);
    const text = await lab.live.measures.registry.metrics();
    expect(text).not.toContain('cluster="2000000"');
    expect(text).toContain(`wheelhouse_live_first_message_seconds_count{cluster="${id}"} 1\n`);
    expect(text).toContain(`wheelhouse_live_refused_total{cluster="${id}",status="403"} 1\n`);
  });

  test('another company’s owner does not even learn that a running list exists', async () => {
    const { id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    const foreign = await open(await lab.live.person({ companyId: await lab.live.company(), isOwner: true }));
    const refused = foreign.subscribe({ clusterId: id, kind: 'pod' });
    await foreign.until('ended', () => refused.ended !== undefined);
    expect([refused.ended, refused.rows.size]).toEqual([
      { status: 404, title: 'There is no such cluster.' },
      0,
    ]);
  });

  test('two people with different grants share one watch; the one who loses theirs gets no further row', async () => {
    const { transport, id } = await cluster();
    const [one, two] = [await lab.live.person(), await lab.live.person()];
    const endGrant = await lab.live.grant(one, id, teamRoles.Viewer);
    await lab.live.grant(two, id, teamRoles.TeamAdmin);
    const [first, second] = [await open(one), await open(two)];
    const [lost, kept] = [
      first.subscribe({ clusterId: id, kind: 'pod' }),
      second.subscribe({ clusterId: id, kind: 'pod' }),
    ];
    await first.until('live', () => lost.state?.status === 'live');
    await second.until('live', () => kept.state?.status === 'live');
    expect(transport.calls).toEqual(['list', 'watch']);
    await endGrant();
    // The notice of the grant takes its time to arrive; a row of before is within the rights.
    await first.until('ended', () => lost.ended !== undefined);
    transport.lastWatch.say(event('ADDED', podOf('secret', '11')));
    await second.until('the other still sees rows', () => kept.rows.has('uid-secret'));
    expect(lost.ended).toEqual({ status: 404, title: 'There is no such cluster.' });
    expect(lost.rows.has('uid-secret')).toBe(false);
    expect(second.grants).toBeGreaterThan(0);
    expect(transport.calls).toEqual(['list', 'watch']);
  });

  test('a list ends within two seconds when the role loses the permission to view it', async () => {
    const { id } = await cluster();
    const person = await lab.live.person();
    await lab.live.grant(person, id, teamRoles.Viewer);
    const client = await open(person);
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    const roles = new Roles(lab.live.store);
    const owner = await lab.live.person({ isOwner: true });
    const without = permissionsOfRole(teamRoles.Viewer).filter((one) => one !== 'pods.view');
    const began = performance.now();
    await roles.change(owner, teamRoles.Viewer, without);
    await client.until('ended', () => list.ended !== undefined);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(list.ended).toMatchObject({ status: 403, title: expect.stringContaining('"pods.view"') });
    await roles.change(owner, teamRoles.Viewer, permissionsOfRole(teamRoles.Viewer));
    const again = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live again', () => again.state?.status === 'live');
  });

  test('rows that change while grants are read again are sent once, in their newest state', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    for (let round = 0; round < 20; round += 1) {
      await sendNotice(lab.live.store, 'grants', { companyId: lab.live.companyId });
      transport.lastWatch.say(event('MODIFIED', podOf('a', `v${round}`, `Phase${round}`)));
    }
    await client.until('the last phase', () => JSON.stringify(list.rows.get('uid-a')).includes('Phase19'));
    expect(list.ended).toBeUndefined();
  });

  test('an authorisation from before a grant was taken away is ignored', async () => {
    const { transport, id } = await cluster();
    const person = await lab.live.person();
    const endGrant = await lab.live.grant(person, id, teamRoles.Viewer);
    const client = await open(person);
    const gate = Promise.withResolvers<void>();
    lab.live.grantsAnswer = gate.promise;
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    // Messages are handled in order: once this one is refused, the one before has been asked about.
    const after = client.subscribe({ clusterId: id, kind: 'nonsense' });
    await client.until('the server got there', () => after.ended !== undefined);
    const before = client.grants;
    await endGrant();
    await client.until('told', () => client.grants > before);
    gate.resolve();
    lab.live.grantsAnswer = Promise.resolve();
    await client.until('ended', () => list.ended !== undefined);
    expect(list.ended?.status).toBe(404);
    expect(transport.calls).toEqual([]);
  });

  test('a new grant is announced, and then gives the list', async () => {
    const { id } = await cluster();
    const person = await lab.live.person();
    const client = await open(person);
    const before = client.grants;
    await lab.live.grant(person, id, teamRoles.Viewer);
    await client.until('told', () => client.grants > before);
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
  });

  test('an Owner who is made a Member loses what only Owners see', async () => {
    const { id } = await cluster();
    const person = await lab.live.person({ isOwner: true });
    const client = await open(person);
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    await lab.live.store.db
      .update(memberships)
      .set({ orgRole: orgRoles.Member })
      .where(eq(memberships.userId, person.id));
    await sendNotice(lab.live.store, 'grants', { companyId: lab.live.companyId });
    await client.until('ended', () => list.ended?.status === 404);
  });

  test('a revocation that was missed with the channel’s connection takes effect when the channel is back', async () => {
    const { id } = await cluster();
    const person = await lab.live.person();
    await lab.live.grant(person, id, teamRoles.Viewer);
    const client = await open(person);
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    await lab.live.store.db.delete(teamMembers).where(eq(teamMembers.userId, person.id));
    await lab.live.store.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    );
    await client.until('ended', () => list.ended?.status === 404);
  });

  test('a session that ended closes its page, and no other page of the person', async () => {
    const person = await lab.live.person({ isOwner: true });
    const client = await open(person);
    const other = await open(await lab.live.session(person));
    await lab.live.store.db
      .delete(sessions)
      .where(eq(sessions.tokenHash, Buffer.from(person.sessionHash, 'hex')));
    await sendNotice(lab.live.store, 'sessions', { userId: person.id, tokenHash: person.sessionHash });
    await client.until('closed', () => client.closed !== undefined);
    expect(client.closed?.code).toBe(liveClose.signedOut);
    expect(other.closed).toBeUndefined();
  });

  test('when all sessions of a person end, all their pages close', async () => {
    const person = await lab.live.person({ isOwner: true });
    const client = await open(person);
    await lab.live.store.db.delete(sessions).where(eq(sessions.userId, person.id));
    await sendNotice(lab.live.store, 'sessions', { userId: person.id });
    await client.until('closed', () => client.closed?.code === liveClose.signedOut);
  });
});

describe('rights that were taken away while the notice of it was lost', () => {
  // Rights are read again after seconds, which pass in a tenth of the time.
  const lab = shareLive(createFastClock(10));
  const { open, cluster } = lab;
  const soon = { timeout: 3 * rightsInterval };

  test('end a list within seconds, and leave what another role still gives', async () => {
    const { id } = await cluster();
    const person = await lab.live.person();
    await lab.live.grant(person, id, teamRoles.Viewer);
    await lab.live.grant(person, id, teamRoles.SecretViewer);
    const client = await open(person);
    const [kept, lost] = ['pod', 'secret'].map((kind) => client.subscribe({ clusterId: id, kind }));
    await client.until('live', () => [kept, lost].every((list) => list?.state?.status === 'live'));
    const before = client.grants;
    const { db } = lab.live.store;
    await db
      .delete(teamMembers)
      .where(and(eq(teamMembers.userId, person.id), eq(teamMembers.role, teamRoles.SecretViewer)));
    await expect.poll(() => lost?.ended?.status, soon).toBe(403);
    expect(kept?.ended).toBeUndefined();
    // The page asks again what its person may do.
    await expect.poll(() => client.grants, soon).toBeGreaterThan(before);
    await db.delete(teamMembers).where(eq(teamMembers.userId, person.id));
    await expect.poll(() => kept?.ended?.status, soon).toBe(404);
  });

  test('close the page whose session ended, and end every list of somebody who left the company', async () => {
    const { id } = await cluster();
    const [signedOut, leaver] = [
      await lab.live.person({ isOwner: true }),
      await lab.live.person({ isOwner: true }),
    ];
    const [first, second] = [await open(signedOut), await open(leaver)];
    const list = second.subscribe({ clusterId: id, kind: 'pod' });
    await second.until('live', () => list.state?.status === 'live');
    const { db } = lab.live.store;
    await db.delete(sessions).where(eq(sessions.userId, signedOut.id));
    await db.update(memberships).set({ state: 'left' }).where(eq(memberships.userId, leaver.id));
    await expect
      .poll(() => [first.closed?.code, second.closed?.code], soon)
      .toEqual([liveClose.signedOut, liveClose.signedOut]);
  });

  test('are looked for without disturbing what may go on', async () => {
    const { transport, id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    const told = client.grants;
    const asked = vi.spyOn(lab.live.store.db, 'execute');
    await expect.poll(() => asked.mock.calls.length, soon).toBeGreaterThan(1);
    asked.mockRestore();
    transport.lastWatch.say(event('ADDED', podOf('new', '11')));
    await client.until('the row', () => list.rows.has('uid-new'));
    expect([client.grants, list.snapshots]).toEqual([told, 1]);
  });

  test('let a list follow a credential that was replaced meanwhile', async () => {
    const { id } = await cluster();
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    const next = createScriptedTransport();
    next.credential = 'second';
    next.onList = () => listOf('90', [podOf('after', '90')]);
    lab.live.replaceQuietly(id, next);
    const { db } = lab.live.store;
    await db.update(clusters).set({ credentialVersion: 2 }).where(eq(clusters.id, id));
    await expect.poll(() => list.rows.has('uid-after'), soon).toBe(true);
  });
});
