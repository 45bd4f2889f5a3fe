import { desc, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Ref } from '../../../src/contract/objects.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { reportLimit } from '../../../src/server/actions/report-budget.ts';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { deployments, ref, refusal, sharedShore } from './playground.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

const shore = sharedShore();
const { act, actOn, offered } = shore;

describe('an action', () => {
  it('is done on each object by itself, with an outcome for each', async () => {
    const { outcomes } = await act('deployment.restart', [ref(shore.name), ref('never-there')]);
    expect(outcomes).toMatchObject([
      {
        ref: ref(shore.name),
        ok: true,
        status: 200,
        message: `Deployment shop/${shore.name} was restarted.`,
      },
      {
        ref: ref('never-there'),
        ok: false,
        status: 404,
        message: 'Deployment shop/never-there was not found.',
      },
    ]);
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toMatchObject({
      spec: {
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) } } },
      },
    });
  });

  it('in a dry run says what it would send and what would come of it, and changes nothing', async () => {
    const before = await shore.lab.seen(`${deployments}/${shore.name}`);
    expect(
      await actOn('deployment.scale', [ref(shore.name)], { replicas: 5 }, { dryRun: true }),
    ).toMatchObject({
      ok: true,
      message: `Deployment shop/${shore.name} would be scaled. Nothing was changed.`,
      requests: [
        { method: 'PATCH', path: `${deployments}/${shore.name}/scale`, body: { spec: { replicas: 5 } } },
      ],
      before: { spec: { replicas: 2 } },
      after: { spec: { replicas: 5 } },
    });
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toEqual(before);
  });

  it('that makes an object names it: the Job of a CronJob, and none in a dry run', async () => {
    const jobs = '/apis/batch/v1/namespaces/shop/jobs';
    const name = `${shore.name}-nightly`;
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'report:1' }] },
    };
    await shore.lab.put('/apis/batch/v1/namespaces/shop/cronjobs', {
      metadata: { name },
      spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template } } },
    });
    const tried = await actOn('cronjob.run', [ref(name, 'cronjob')], {}, { dryRun: true });
    expect(tried).toMatchObject({
      ok: true,
      message: `CronJob shop/${name} would be started. Nothing was changed.`,
    });
    expect(tried).not.toHaveProperty('created');
    const { created, message } = await actOn('cronjob.run', [ref(name, 'cronjob')]);
    expect(created).toEqual({
      kind: 'job',
      namespace: 'shop',
      name: expect.stringMatching(new RegExp(`^${name}-manual-`)),
    });
    expect(message).toBe(`CronJob shop/${name} was started. Job shop/${created?.name} was created.`);
    expect(await shore.lab.seen(`${jobs}/${created?.name}`)).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'CronJob', name }] },
    });
    // Its own copy is another job.
    const again = await actOn('job.rerun', [ref(created?.name ?? '', 'job')]);
    expect(again).toMatchObject({ ok: true, created: { kind: 'job', namespace: 'shop' } });
    expect(await shore.lab.seen(`${jobs}/${again.created?.name}`)).toBeDefined();
    expect(again.created?.name).not.toBe(created?.name);
  });

  it('takes exactly its arguments, and says in a sentence what is wrong with others', async () => {
    const wrong: [string, Record<string, unknown>, string][] = [
      ['deployment.scale', { replicas: -1 }, 'Replicas must be a whole number from 0 to 1000.'],
      ['deployment.scale', { replicas: '3' }, 'Replicas must be a whole number from 0 to 1000.'],
      ['deployment.scale', {}, 'Replicas must be a whole number from 0 to 1000.'],
      ['deployment.restart', { force: true }, 'Unrecognized key: "force".'],
      ['deployment.rollback', { revision: 0 }, 'Choose a revision.'],
      ['object.labels', { labels: {} }, 'Give at least one label.'],
      [
        'object.delete',
        { propagation: 'Maybe' },
        'Dependents must be one of Background, Foreground, Orphan.',
      ],
    ];
    for (const [actionId, args, title] of wrong) {
      expect(await refusal(act(actionId, [ref(shore.name)], args)), actionId).toMatchObject({
        status: 400,
        title,
      });
    }
  });

  it('is refused for objects it is not for', async () => {
    const wrong: [string, Ref[], number, string][] = [
      ['deployment.restart', [ref('any', 'pod')], 400, 'Pods have no action Restart.'],
      [
        'deployment.rollback',
        [ref(shore.name), ref('other')],
        400,
        'This action works on one object at a time. Select only one.',
      ],
      [
        'object.delete',
        [{ kind: 'deployment', name: shore.name }],
        400,
        'Choose a namespace: Deployments are namespaced.',
      ],
      ['object.delete', [{ kind: 'node', namespace: 'shop', name: 'n1' }], 400, 'Nodes are not namespaced.'],
      ['never.heard', [ref(shore.name)], 404, 'There is no such action.'],
      [
        'object.delete',
        [ref(shore.name, 'nothing')],
        404,
        'This console does not know that kind of resource.',
      ],
    ];
    for (const [actionId, refs, status, title] of wrong) {
      const args = actionId === 'deployment.rollback' ? { revision: 1 } : {};
      expect(await refusal(act(actionId, refs, args)), actionId).toMatchObject({ status, title });
    }
  });

  it('never leaves the place of its object, whatever the name', async () => {
    for (const odd of ['..', '.', 'a/b', `${shore.name}/scale`, 'a?b', 'a%2fb']) {
      const outcome = await actOn('object.delete', [ref(odd)]);
      expect(outcome.ok, odd).toBe(false);
      expect([400, 404], odd).toContain(outcome.status);
    }
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toBeDefined();
  });

  it('meets half a character in a name with words, and logs nothing of it', async () => {
    const odd = ref('\ud800');
    const title = expect.stringContaining('contains a NUL or a lone surrogate');
    expect(await refusal(act('object.delete', [odd]))).toMatchObject({ status: 400, title });
    expect(await refusal(offered([odd]))).toMatchObject({ status: 400, title });
    expect(JSON.stringify(shore.lab.console.log)).not.toContain('URIError');
  });

  it('takes each object once', async () => {
    const title = 'Name each object once.';
    expect(await refusal(act('object.delete', [ref(shore.name), ref(shore.name)]))).toMatchObject({
      status: 400,
      title,
    });
    expect(await refusal(offered([ref(shore.name), ref(shore.name)]))).toMatchObject({ status: 400, title });
  });

  it('answers within bounds, however large the objects are', async () => {
    const text = 'x'.repeat(250_000);
    const large = [...Array(45).keys()].map((index) => ({
      kind: 'core~v1~configmaps',
      namespace: 'shop',
      name: `large-${index}`,
    }));
    for (const one of large) {
      await shore.lab.put('/api/v1/namespaces/shop/configmaps', {
        metadata: { name: one.name },
        data: { text },
      });
    }
    const { outcomes } = await act('object.labels', large, { labels: { a: 'b' } }, { dryRun: true });
    expect(outcomes).toHaveLength(large.length);
    expect(outcomes.every(({ ok, requests }) => ok && requests.length === 1)).toBe(true);
    expect(outcomes[0]).toMatchObject({
      before: { data: { text } },
      requests: [{ body: expect.anything() }],
    });
    const cut = outcomes.filter(({ before }) => before === undefined);
    expect(cut.length).toBeGreaterThan(0);
    for (const outcome of cut) {
      expect(outcome.message).toMatch(/The change is too large to show\.$/);
      expect(outcome).not.toHaveProperty('after');
    }
    expect(JSON.stringify(outcomes).length).toBeLessThan(reportLimit * 1.1);
  });

  it('is not done to another object of the same name', async () => {
    const old = await shore.lab.seen(`${deployments}/${shore.name}`);
    const outcome = await actOn('object.delete', [ref(shore.name)], {}, { dryRun: true });
    expect(outcome.requests).toMatchObject([{ body: { preconditions: { uid: old?.metadata?.uid } } }]);
  });

  it('deletes with what it owns, or without', async () => {
    for (const propagation of ['Background', 'Foreground', 'Orphan']) {
      const outcome = await actOn('object.delete', [ref(shore.name)], { propagation }, { dryRun: true });
      expect(outcome.requests).toMatchObject([
        { method: 'DELETE', body: { propagationPolicy: propagation } },
      ]);
    }
  });

  it('sets and removes labels of many objects of several kinds at once', async () => {
    await shore.lab.put('/api/v1/namespaces/shop/services', {
      metadata: { name: shore.name, labels: { old: 'yes' } },
      spec: { ports: [{ port: 80 }] },
    });
    const refs = [ref(shore.name), ref(shore.name, 'service')];
    expect((await offered(refs)).map(({ id }) => id).sort()).toEqual([
      'object.annotations',
      'object.delete',
      'object.labels',
    ]);
    const { outcomes } = await act('object.labels', refs, { labels: { team: 'shop', old: null } });
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(
      (await shore.lab.seen(`/api/v1/namespaces/shop/services/${shore.name}`))?.metadata?.labels,
    ).toEqual({
      team: 'shop',
    });
    expect((await shore.lab.seen(`${deployments}/${shore.name}`))?.metadata?.labels).toEqual({
      team: 'shop',
    });
  });
});

describe('the actions offered for an object', () => {
  it('follows from the object as it is now', async () => {
    const states = new Map((await offered([ref(shore.name)])).map(({ id, enabled }) => [id, enabled]));
    expect(Object.fromEntries(states)).toEqual({
      'deployment.restart': true,
      'deployment.scale': true,
      'deployment.pause': true,
      'deployment.setImage': true,
      'deployment.setMemory': true,
      'deployment.rollback': true,
      'object.labels': true,
      'object.annotations': true,
      'object.delete': true,
    });
    await shore.lab.merge(`${deployments}/${shore.name}`, { spec: { paused: true } });
    const paused = new Map((await offered([ref(shore.name)])).map(({ id, enabled }) => [id, enabled]));
    expect(paused.get('deployment.restart')).toBe('The rollout is paused. Resume it first.');
    expect(await actOn('deployment.restart', [ref(shore.name)])).toMatchObject({
      ok: false,
      status: 409,
      message: 'The rollout is paused. Resume it first.',
    });
  });

  it('of a cordoned node is to uncordon it, and the other way round', async () => {
    const node = { kind: 'node', name: `node-${shore.name}` };
    await shore.lab.put('/api/v1/nodes', { metadata: { name: node.name } });
    const ids = async () =>
      (await offered([node]))
        .map(({ id }) => id)
        .filter((id) => id.startsWith('node.') && id !== 'node.drain');
    expect(await ids()).toEqual(['node.cordon']);
    expect(await actOn('node.uncordon', [node])).toMatchObject({ ok: false, status: 409 });
    expect(await actOn('node.cordon', [node])).toMatchObject({ ok: true });
    expect(await shore.lab.seen(`/api/v1/nodes/${node.name}`)).toMatchObject({
      spec: { unschedulable: true },
    });
    expect(await ids()).toEqual(['node.uncordon']);
  });

  it('says that an object is gone', async () => {
    for (const { enabled } of await offered([ref('gone')]))
      expect(enabled).toBe('Deployment shop/gone is gone.');
  });
});

describe('the audit', () => {
  const last = async () =>
    (await shore.lab.console.store.db.select().from(audit).orderBy(desc(audit.id)).limit(1))[0];

  it('has the action by its id, with kind, namespace and names, and no body', async () => {
    await act('object.annotations', [ref(shore.name), ref('gone')], {
      annotations: { note: 'CANARY-value' },
    });
    expect(await last()).toMatchObject({
      action: 'object.annotations',
      clusterId: shore.lab.clusterId,
      actor: shore.admin.email,
      status: 200,
      subject: {
        kind: 'deployment',
        namespace: 'shop',
        names: `shop/${shore.name}, shop/gone`,
        objects: 2,
        dryRun: false,
        failed: 1,
      },
    });
    expect(JSON.stringify(await shore.lab.console.store.db.select().from(audit))).not.toContain('CANARY');
  });

  it('has what an action changed, before and after: of several objects for each', async () => {
    await actOn('deployment.scale', [ref(shore.name)], { replicas: 3 });
    expect((await last())?.changes).toEqual({ replicas: { before: 2, after: 3 } });
    await actOn('deployment.scale', [ref(shore.name)], { replicas: 2 }, { dryRun: true });
    expect((await last())?.changes).toBe(null);
    await act('deployment.scale', [ref(shore.name), ref('never-there')], { replicas: 2 });
    expect((await last())?.changes).toEqual({
      [`deployment/shop/${shore.name} replicas`]: { before: 3, after: 2 },
    });
  });

  it('has what was refused as well', async () => {
    const viewer = await shore.lab.member(teamRoles.Viewer);
    await refusal(
      viewer.client.call('runAction', {
        params: { clusterId: shore.lab.clusterId, actionId: 'object.delete' },
        body: { refs: [ref(shore.name)] },
      }),
    );
    expect(await last()).toMatchObject({ action: 'object.delete', actor: viewer.email, status: 403 });
  });

  it('that cannot say what is about to happen stops the change', async () => {
    const { db } = shore.lab.console.store;
    const { log } = shore.lab.console.services;
    const row = await createAudit({ db }, log, createTriesRetention({ db }, log, systemClock)).begin({
      companyId: null,
      userId: null,
      actor: 'test',
      action: 'runAction',
      clusterId: shore.lab.clusterId,
      subject: {},
      address: '127.0.0.1',
      requestId: 'test',
    });
    await db.execute(sql`alter table audit rename to audit_away`);
    try {
      await expect(row.describe({ action: 'object.delete', subject: {} })).rejects.toMatchObject({
        status: 503,
        title: expect.stringContaining('nothing was changed'),
      });
    } finally {
      await db.execute(sql`alter table audit_away rename to audit`);
    }
  });

  it('is not written by asking what can be done', async () => {
    const before = await last();
    await offered([ref(shore.name)]);
    expect((await last())?.id).toBe(before?.id);
  });
});
