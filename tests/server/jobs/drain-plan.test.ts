import { describe, expect, it, vi } from 'vitest';
import { budgets, owner, patience, sharedDrainSite } from './drain-site.ts';

const site = sharedDrainSite();
const { allow, budget, drain, ended, left, listed, pod, until } = site;

describe('the plan of a drain', () => {
  it('names what is evicted, what is lost and what stays, and changes nothing', async () => {
    await pod('web');
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    await pod('lonely', { owners: [] });
    await pod('agent', { owners: owner('DaemonSet') });
    await pod('static', { owners: [], metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    const outcome = await drain(site.admin, {}, { dryRun: true });
    expect(outcome).toMatchObject({ ok: true, plan: { blocked: expect.stringContaining('would be lost') } });
    expect(
      outcome.plan?.lines.map(({ group, name }) => [group, name.replace(`shop/${site.node}-`, '')]),
    ).toEqual([
      ['Evicted, with data lost', 'cache'],
      ['Evicted, not recreated', 'lonely'],
      ['Evicted', 'web'],
      ['Stay', 'agent'],
      ['Stay', 'static'],
    ]);
    const willing = await drain(site.admin, { data: 'evict', unmanaged: 'evict' }, { dryRun: true });
    expect(willing.plan?.blocked).toBeNull();
    expect(await site.lab.seen(`/api/v1/nodes/${site.node}`)).not.toHaveProperty('spec.unschedulable');
    expect(await left()).toHaveLength(5);
    expect(await listed(site.admin)).toEqual([]);
  });

  it('keeps a drain from beginning until what is lost was agreed to', async () => {
    await pod('cache', { spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
    expect(await drain(site.admin)).toMatchObject({
      ok: false,
      status: 409,
      message: `shop/${site.node}-cache keeps data on the node that would be lost. Say that it may be evicted all the same, or move it first.`,
    });
    expect(await site.lab.seen(`/api/v1/nodes/${site.node}`)).not.toHaveProperty('spec.unschedulable');
  });
});

describe('the plan of a drain under disruption budgets', () => {
  const planOf = async () => {
    const { plan } = await drain(site.admin, { data: 'evict' }, { dryRun: true });
    if (plan === undefined) throw new Error('There was no plan.');
    return {
      notes: plan.notes.slice(1),
      lines: plan.lines.map(({ name, about, tone }) => [name.replace(`shop/${site.node}-`, ''), about, tone]),
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
      `is held back now: disruption budget ${site.node}-${name} needs 1 healthy pod and has 1`;
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
    const labels = { app: `${site.node}-web` };
    for (const name of ['a', 'b', 'c']) await pod(name, { metadata: { labels } });
    await budget('web', 2);
    expect(await planOf()).toEqual({
      lines: [
        ['a', null, 'info'],
        ['b', null, 'info'],
        ['c', `waits for its turn: disruption budget ${site.node}-web allows 2 evictions at once`, 'warn'],
      ],
      notes: ['1 pod waits until a disruption budget allows the eviction.'],
    });
    const { job } = await drain(site.admin);
    await vi.waitFor(async () => expect(await left()).toHaveLength(1), patience);
    await until(job, ({ steps }) => steps.some(({ message }) => message?.startsWith('waits: ') === true));
    await allow('web', 1);
    expect(await ended(job)).toMatchObject({ status: 'succeeded' });
  });

  it('says that a pod under two budgets is not evicted, as the drain then finds', async () => {
    await pod('web');
    await budget('web', 1);
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: [`${site.node}-web`] }] };
    const second = await site.lab.put(budgets, {
      metadata: { name: `${site.node}-also` },
      spec: { minAvailable: 1, selector },
    });
    await allow('also', 1, second.metadata?.generation ?? 1);
    expect(await planOf()).toEqual({
      lines: [
        [
          'web',
          `cannot be evicted: more than one disruption budget selects it (${site.node}-also, ${site.node}-web)`,
          'bad',
        ],
      ],
      notes: [
        'No pod has to wait for a disruption budget now.',
        'Kubernetes refuses to evict 1 pod under more than one disruption budget: the drain will fail there. Change the budgets so that only one selects each pod.',
      ],
    });
    expect(await ended((await drain(site.admin)).job)).toMatchObject({ status: 'failed' });
    expect(await left()).toEqual(['web']);
  });

  it('says of a budget that was just changed that its pods are not counted yet', async () => {
    await pod('web');
    await budget('web', 1);
    await site.lab.merge(`${budgets}/${site.node}-web`, { spec: { minAvailable: 2 } });
    expect((await planOf()).lines).toEqual([
      [
        'web',
        `is held back now: disruption budget ${site.node}-web was changed and its pods are not counted yet`,
        'warn',
      ],
    ]);
  });
});
