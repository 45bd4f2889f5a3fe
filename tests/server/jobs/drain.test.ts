import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { refusal } from '../actions/playground.ts';
import { openLive } from '../live/live-client.ts';
import { owner, patience, sharedDrainSite } from './drain-site.ts';

const site = sharedDrainSite();
const { allow, budget, drain, ended, jobOf, left, listed, pod, until } = site;

describe('a drain', () => {
  it('cordons, evicts what may go, leaves what stays, and is on record', async () => {
    await pod('web');
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    await pod('agent', { owners: owner('DaemonSet') });
    const page = await openLive(site.lab.console.url, {
      origin: site.lab.console.url,
      cookie: site.viewer.client.cookie,
    });
    const list = page.subscribe({ clusterId: site.lab.clusterId, kind: 'node' });
    await page.until('the nodes are there', () => list.snapshots > 0);
    const outcome = await drain(site.admin, { data: 'evict' });
    expect(outcome).toMatchObject({ ok: true, message: `Drain of Node ${site.node} has begun.` });
    const job = await ended(outcome.job);
    expect(job).toMatchObject({
      status: 'succeeded',
      message: 'The node is drained: 2 pods are gone. The node stays cordoned.',
      canCancel: false,
    });
    expect(job.steps.map(({ name, status }) => [name.replace(`shop/${site.node}-`, ''), status])).toEqual([
      ['Cordon the node', 'done'],
      ['agent', 'skipped'],
      ['cache', 'done'],
      ['web', 'done'],
    ]);
    expect(await left()).toEqual(['agent']);
    expect(await site.lab.seen(`/api/v1/nodes/${site.node}`)).toMatchObject({
      spec: { unschedulable: true },
    });
    await page.until('the page was told', () => page.jobs.includes(site.lab.clusterId));
    await page.close();
    const rows = await site.lab.console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.userId, site.admin.id));
    expect(rows.filter(({ action }) => action === 'node.drain').at(-1)).toMatchObject({
      status: 200,
      subject: { names: site.node, dryRun: false },
    });
    // The end is put on record after the job says so.
    await vi.waitFor(async () => {
      const all = await site.lab.console.store.db
        .select()
        .from(audit)
        .orderBy(audit.id)
        .where(eq(audit.userId, site.admin.id));
      expect(all.at(-1)).toMatchObject({
        action: 'node.drain.end',
        status: 200,
        subject: { names: site.node, outcome: 'succeeded', done: 3, failed: 0 },
      });
    }, patience);
  });

  it('waits for a disruption budget and goes on when that allows it', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(site.admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    expect(await left()).toEqual(['web']);
    await allow('web', 1);
    expect(await ended(job)).toMatchObject({ status: 'succeeded' });
    expect(await left()).toEqual([]);
  });

  it('is seen by whom may view nodes and pods, and stopped by whom may begin it; there is one at a time', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(site.admin);
    await until(job, ({ steps }) => steps.some(({ status }) => status === 'running'));
    expect(await drain(site.admin)).toMatchObject({
      ok: false,
      status: 409,
      message: `${site.node} already has a job in progress. Wait until it ends, or cancel it first.`,
    });
    const seen = await jobOf(job, site.viewer);
    expect(seen).toMatchObject({ status: 'running', canCancel: false, startedBy: 'Robin Example' });
    const params = { clusterId: site.lab.clusterId, jobId: seen.id };
    // Its steps name pods of every namespace: nodes alone do not tell of those.
    const narrow = await site.lab.member(teamRoles.Viewer);
    site.lab.console.narrow(narrow.id, ['clusters.view']);
    expect((await listed(narrow)).map(({ id }) => id)).not.toContain(job);
    expect(await refusal(narrow.client.call('cancelJob', { params }))).toMatchObject({ status: 404 });
    expect(await refusal(site.viewer.client.call('cancelJob', { params }))).toMatchObject({ status: 403 });
    const stranger = await site.lab.console.person({
      companyId: await site.lab.console.company(),
      isOwner: true,
    });
    expect(await refusal(stranger.client.call('cancelJob', { params }))).toMatchObject({ status: 404 });
    await site.admin.client.call('cancelJob', { params });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: 'Cancelled after 1 of 2 steps. The node stays cordoned: uncordon it to allow new pods on it.',
    });
    expect(await left()).toEqual(['web']);
    expect(await refusal(site.admin.client.call('cancelJob', { params }))).toMatchObject({ status: 409 });
  });

  it('is refused to who may not, on a read-only cluster, and without the name of a protected one', async () => {
    expect(await refusal(drain(site.viewer))).toMatchObject({ status: 403 });
    await site.lab.set({ isReadOnly: true });
    expect(await refusal(drain(site.admin))).toMatchObject({ status: 403 });
    await site.lab.set({ isReadOnly: false, isProtected: true });
    expect(await refusal(drain(site.admin))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    const outcome = await drain(site.admin, {}, { confirm: site.lab.name });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
  });

  it('ends where the grant of who began it is withdrawn', async () => {
    const leaver = await site.lab.member(teamRoles.TeamAdmin);
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(leaver);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await site.lab.console.store.db.delete(teamMembers).where(eq(teamMembers.userId, leaver.id));
    await allow('web', 1);
    // Nobody was told: the next eviction, or the next look at rights, finds it.
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: `Stopped after 1 of 2 steps. Robin Example, who began it, no longer has access to ${site.lab.name}. The node stays cordoned: uncordon it to allow new pods on it.`,
    });
    expect(await left()).toEqual(['web']);
  });

  it('ends when the cluster becomes read-only', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(site.admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await site.lab.set({ isReadOnly: true });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: expect.stringContaining(`${site.lab.name} is read-only in this console`),
    });
  });

  it('ends when the cluster now acts as each person', async () => {
    await pod('web');
    await budget('web', 0);
    const { job } = await drain(site.admin);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await site.lab.set({ isImpersonating: true });
    expect(await ended(job)).toMatchObject({
      status: 'cancelled',
      message: expect.stringContaining(`${site.lab.name} now acts as each person`),
    });
    expect(await left()).toEqual(['web']);
    await site.lab.set({ isImpersonating: false });
  });
});
