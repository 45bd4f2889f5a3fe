import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { diffJson } from '../../../src/kube/json-diff.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf } from '../playground-console.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';

let lab: Lab;
let admin: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
});
afterAll(() => lab.close());

const place = (kind: string, name: string) => ({
  params: { clusterId: lab.clusterId, kind, name },
  query: { namespace: 'shop' },
});
const source = (kind: string, name: string) => admin.client.call('editSource', place(kind, name));
type Change = (object: never) => unknown;
/** Edits as the page does: what differs from what it was given. */
async function edit(kind: string, name: string, change: Change, more: object = {}) {
  const { resourceVersion, object } = await source(kind, name);
  const changes = diffJson(object, change(structuredClone(object) as never)) as never;
  return admin.client.call('editObject', {
    ...place(kind, name),
    body: { resourceVersion, changes, ...more },
  });
}
const path = (name: string) => `/apis/apps/v1/namespaces/shop/deployments/${name}`;
const deployment = (name: string, replicas = 2) => ({
  ...deploymentOf('shop', name, 'nginx:1', replicas),
  metadata: { name, namespace: 'shop', labels: { app: name, extra: 'yes' } },
});
const withoutExtra: Change = (object: { metadata: { labels: Record<string, string> } }) => {
  const { extra: _extra, ...labels } = object.metadata.labels;
  return { ...(object as object), metadata: { ...object.metadata, labels } };
};
type Deployment = {
  spec: { replicas: number; template: { spec: { containers: Record<string, unknown>[] } } };
};
const scaled =
  (replicas: number): Change =>
  (object: Deployment) => ({ ...object, spec: { ...object.spec, replicas } });

describe('deleting a line deletes its field on the cluster, whichever manager wrote it', () => {
  it.each([
    ['kubectl', 'kubectl-client-side-apply', 'application/apply-patch+yaml'],
    ['Helm', 'helm', 'application/apply-patch+yaml'],
    ['another person', 'kubectl-edit', 'application/apply-patch+yaml'],
  ])('%s', async (_who, manager, contentType) => {
    const name = `line-${manager}`;
    await lab.transport.json({
      method: 'PATCH',
      path: path(name),
      query: { fieldManager: manager },
      contentType,
      body: deployment(name),
    });
    const tried = await edit('deployment', name, withoutExtra, { dryRun: true });
    expect(tried.owners).toEqual([{ path: 'metadata.labels.extra', manager }]);
    expect(tried.before?.metadata?.['labels']).toMatchObject({ extra: 'yes' });
    expect(tried.after.metadata?.['labels']).toEqual({ app: name });
    expect((await lab.seen(path(name)))?.metadata?.labels).toEqual({ app: name, extra: 'yes' });

    await edit('deployment', name, withoutExtra);
    expect((await lab.seen(path(name)))?.metadata?.labels).toEqual({ app: name });
  });
});

describe('editing', () => {
  it('is refused when somebody changed the object meanwhile, and changes nothing', async () => {
    await lab.put('/apis/apps/v1/namespaces/shop/deployments', deployment('raced'));
    const { resourceVersion } = await source('deployment', 'raced');
    await lab.merge(path('raced'), { spec: { replicas: 7 } });
    const problem = await refusal(
      admin.client.call('editObject', {
        ...place('deployment', 'raced'),
        body: { resourceVersion, changes: [{ op: 'replace', path: ['spec', 'replicas'], value: 1 }] },
      }),
    );
    expect(problem).toMatchObject({
      status: 409,
      title:
        'Deployment shop/raced was changed on the cluster meanwhile. Review the changes, then save again.',
    });
    expect(await lab.seen(path('raced'))).toMatchObject({ spec: { replicas: 7 } });
  });

  it('says which fields the cluster does not accept', async () => {
    await lab.put('/apis/apps/v1/namespaces/shop/deployments', deployment('wrong'));
    const problem = await refusal(edit('deployment', 'wrong', scaled(-1)));
    expect(problem.status).toBe(422);
    expect(problem.issues).toMatchObject([{ path: 'spec.replicas' }]);
    const unknown = await refusal(
      edit('deployment', 'wrong', (object: Deployment) => ({
        ...object,
        spec: { ...object.spec, bogus: 1 },
      })),
    );
    expect(unknown.title).toBe(
      'The cluster cannot decode the changed object: strict decoding error: unknown field "spec.bogus"',
    );
    expect(unknown.issues).toEqual([{ path: 'spec.bogus', message: 'is no field that the cluster knows.' }]);
  });

  it('sends nothing back that was not changed: line ends and control characters stay', async () => {
    const args = ['one\r\ntwo', 'bell\u0007', 'plain'];
    await lab.put('/apis/apps/v1/namespaces/shop/deployments', deployment('bytes'));
    await lab.transport.json({
      method: 'PATCH',
      path: path('bytes'),
      contentType: 'application/json-patch+json',
      body: [{ op: 'add', path: '/spec/template/spec/containers/0/args', value: args }],
    });
    await edit('deployment', 'bytes', (object: Deployment) => {
      const [container = {}] = object.spec.template.spec.containers;
      container['image'] = 'nginx:2';
      return object;
    });
    const seen = (await lab.seen(path('bytes'))) as unknown as Deployment;
    expect(seen.spec.template.spec.containers[0]).toMatchObject({ image: 'nginx:2', args });
  });

  it('asks as the actions do where a job is suspended, and not for a cron job', async () => {
    const spec = {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'nginx:1' }] },
      },
    };
    await lab.put('/apis/batch/v1/namespaces/shop/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'held', namespace: 'shop' },
      spec,
    });
    await lab.put('/apis/batch/v1/namespaces/shop/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly', namespace: 'shop' },
      spec: { schedule: '0 3 * * *', jobTemplate: { spec } },
    });
    const suspended = (object: { spec?: Record<string, unknown> }) => {
      object.spec = { ...object.spec, suspend: true };
      return object;
    };
    await lab.set({ isProtected: true });
    try {
      expect(await edit('job', 'held', suspended, { dryRun: true })).toMatchObject({
        isDestructive: true,
        mustConfirm: true,
      });
      expect(await refusal(edit('job', 'held', suspended))).toMatchObject({
        status: 409,
        issues: [{ path: 'confirm' }],
      });
      await edit('job', 'held', suspended, { confirm: lab.name });
      expect(await edit('cronjob', 'nightly', suspended, { dryRun: true })).toMatchObject({
        isDestructive: false,
        mustConfirm: false,
      });
    } finally {
      await lab.set({ isProtected: false });
    }
  });

  it('asks for the name of a protected cluster where it destroys something', async () => {
    await lab.put('/apis/apps/v1/namespaces/shop/deployments', deployment('guarded'));
    await lab.set({ isProtected: true });
    try {
      expect(await edit('deployment', 'guarded', scaled(0), { dryRun: true })).toMatchObject({
        mustConfirm: true,
      });
      expect(await refusal(edit('deployment', 'guarded', scaled(0)))).toMatchObject({
        status: 409,
        issues: [{ path: 'confirm' }],
      });
      await edit('deployment', 'guarded', scaled(3));
      await edit('deployment', 'guarded', scaled(0), { confirm: lab.name });
    } finally {
      await lab.set({ isProtected: false });
    }
    expect(await lab.seen(path('guarded'))).toMatchObject({ spec: { replicas: 0 } });
  });

  it('needs the permission to change the kind', async () => {
    const viewer = await lab.member(teamRoles.Viewer);
    const call = viewer.client.call('editObject', {
      ...place('deployment', 'guarded'),
      body: { resourceVersion: '1', changes: [{ op: 'remove', path: ['spec', 'paused'] }] },
    });
    expect(await refusal(call)).toMatchObject({ status: 403 });
  });
});

describe('a Secret', () => {
  it('keeps the values of the keys that were not edited, and reveals none of them', async () => {
    // No UTF-8, and long enough for a line break where one would be put in.
    const binary = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7) % 256)).toString('base64');
    const values = {
      binary,
      kept: 'Q0FOQVJZLW9uZQ==',
      changed: 'Q0FOQVJZLXR3bw==',
      gone: 'Q0FOQVJZLXRocmVl',
    };
    await lab.put('/api/v1/namespaces/shop/secrets', { metadata: { name: 'keys' }, data: values });
    const given = await source('secret', 'keys');
    expect(JSON.stringify(given)).not.toContain('Q0FOQVJZ');
    const done = await edit('secret', 'keys', (object: { data: Record<string, string> }) => {
      const { gone: _gone, ...data } = object.data;
      return { ...(object as object), data: { ...data, changed: 'bmV3' } };
    });
    expect(JSON.stringify(done)).not.toContain('Q0FOQVJZ');
    expect(await lab.seen('/api/v1/namespaces/shop/secrets/keys')).toMatchObject({
      data: { binary, kept: values.kept, changed: 'bmV3' },
    });
    const seen = (await lab.seen('/api/v1/namespaces/shop/secrets/keys')) as { data?: object };
    expect(Object.keys(seen.data ?? {}).sort()).toEqual(['binary', 'changed', 'kept']);
    const odd = await refusal(
      edit('secret', 'keys', (object: object) => ({ ...object, immutable: 'x', bogus: 1 })),
    );
    expect(odd.title).toMatch(/^The cluster cannot decode the changed object/);
    expect(JSON.stringify(odd.toBody())).not.toMatch(/Q0FOQVJZ|bmV3/);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(JSON.stringify([rows, lab.console.log])).not.toMatch(/Q0FOQVJZ|bmV3/);
    expect(rows.at(-2)?.subject).toMatchObject({ fields: 'data.gone, data.changed' });
  });
});
