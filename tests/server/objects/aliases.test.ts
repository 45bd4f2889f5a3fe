import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { refusal, startLab, type Lab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';

const secrets = '/api/v1/namespaces/shop/secrets';
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles';
const templates = '/api/v1/namespaces/shop/podtemplates';

let lab: Lab;
let viewer: TestPerson;
let admin: TestPerson;
let before: unknown;

const held = async () =>
  await Promise.all(
    [`${secrets}/keys`, `${deployments}/api`, `${roles}/reader`, `${templates}/web`].map((path) =>
      lab.seen(path),
    ),
  );

beforeAll(async () => {
  lab = await startLab();
  viewer = await lab.member(teamRoles.Viewer);
  admin = await lab.member(teamRoles.TeamAdmin);
  await lab.put(secrets, { metadata: { name: 'keys' }, stringData: { pin: 'CANARY' } });
  await lab.put(roles, { metadata: { name: 'reader' }, rules: [] });
  await lab.put(templates, {
    metadata: { name: 'web' },
    template: { spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  });
  await lab.put(deployments, {
    metadata: { name: 'api' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'api' } },
      template: { metadata: { labels: { app: 'api' } }, spec: { containers: [{ name: 'web', image: 'w' }] } },
    },
  });
  before = await held();
});
afterAll(() => lab.close());
afterEach(() => lab.set({ isReadOnly: false, isProtected: false }));

/** Every call that names a kind, tried as if it were a name of this object's. Answers what came back, as text. */
async function tryEverything(person: TestPerson, kind: string, name: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const base = `/api/clusters/${lab.clusterId}`;
  const objects = `${base}/kinds/${encodeURIComponent(kind)}/objects`;
  const refs = [{ kind, namespace: 'shop', name }];
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', `${objects}?namespace=shop`],
    ['GET', objects],
    ['GET', `${objects}/${name}?namespace=shop`],
    ['GET', `${objects}/${name}`],
    ['GET', `${objects}/${name}/revisions?namespace=shop`],
    ['POST', `${objects}?namespace=shop`, { object: { metadata: { name: 'made' } } }],
    [
      'PATCH',
      `${objects}/${name}?namespace=shop`,
      { resourceVersion: '1', patch: { metadata: { labels: { a: 'b' } } } },
    ],
    ['POST', `${base}/actions`, { refs }],
    ['POST', `${base}/actions/object.labels`, { refs, args: { labels: { a: 'b' } }, dryRun: true }],
    ['POST', `${base}/actions/object.labels`, { refs, args: { labels: { a: 'b' } } }],
    ['POST', `${base}/actions/object.delete`, { refs, args: {}, confirm: lab.name }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await person.client.send(method, path, body);
    statuses.set(`${method} ${path}`, answer.status);
    expect(answer.text, `${method} ${path}`).not.toContain('CANARY');
    expect(answer.text, `${method} ${path}`).not.toContain(Buffer.from('CANARY').toString('base64'));
  }
  return statuses;
}

describe('a name that might be one of Secrets, or of what is for Owners', () => {
  it.each([
    'core~v1~secrets',
    'core~~secrets',
    'core~~Secret',
    'core~v1~Secret',
    'core~v2~secrets',
    'core~v1beta1~Secret',
    'core~v1~SECRET',
    'core~~Secrets',
    'core~v1~Secrets',
    'core~v1~ſecrets',
    'CORE~v1~secrets',
    'Core~v1~secrets',
    '~v1~secrets',
    '~~Secret',
    'v1~secrets',
    'core~v1~secrets~v1',
    'core~v1~secrets ',
    'core~v1~secrets\u0000',
    'core~v1~secrets/keys',
    'core~v1~secrets%2fkeys',
    'core~v1~pods/../secrets',
    'core~v1/namespaces/shop~secrets',
    'core~..~secrets',
    '..~v1~secrets',
    'core.~v1~secrets',
    'k8s.io~v1~secrets',
    'crd:secrets.core',
    'crd:secrets.v1',
    'crd:secrets.',
    'crd:Secret.core',
    'secret',
    'secrets',
    'Secret',
    '__proto__',
    'constructor',
    'core~v1~podtemplates',
    'core~~PodTemplate',
    'crd:podtemplates.core',
    'authorization.k8s.io~~SelfSubjectAccessReview',
    'core~~Binding',
    'core~v1~serviceaccounts/token',
  ])('%j is nothing to a Viewer: no call on it is answered, nothing is changed', async (kind) => {
    for (const name of ['keys', 'web']) {
      for (const [call, status] of await tryEverything(viewer, kind, name)) {
        expect([400, 403, 404], `${call}: ${status}`).toContain(status);
      }
    }
    const { url } = lab.console;
    const page = await openLive(url, { origin: url, cookie: viewer.client.cookie });
    const spec = { clusterId: lab.clusterId, kind };
    const list = page.subscribe(spec);
    const object = page.open({ ...spec, namespace: 'shop', name: 'keys' });
    await page.until(
      'neither began',
      () =>
        (list.ended !== undefined || list.state?.status === 'absent') &&
        (object.ended !== undefined || object.state?.status === 'absent'),
    );
    expect([list.rows.size, object.view]).toEqual([0, undefined]);
    page.socket.terminate();
    expect(await held()).toEqual(before);
    expect(await lab.seen(`${secrets}/made`)).toBeUndefined();
  });
});

describe.each([
  'apps~v1~deployments',
  'apps~~deployments',
  'apps~~Deployment',
  'apps~v9~Deployment',
  'deployment',
])('Deployments by the name %s', (kind) => {
  const remove = (person: TestPerson, confirm?: string) =>
    person.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'object.delete' },
      body: {
        refs: [{ kind, namespace: 'shop', name: 'api' }],
        ...(confirm === undefined ? {} : { confirm }),
      },
    });
  const edit = (person: TestPerson, resourceVersion = '1') =>
    person.client.call('patchObject', {
      params: { clusterId: lab.clusterId, kind, name: 'api' },
      query: { namespace: 'shop' },
      body: { resourceVersion, patch: { spec: { replicas: 0 } } },
    });

  it('are judged by the permissions of Deployments', async () => {
    const title = expect.stringContaining('"deployments.manage"');
    expect(await refusal(remove(viewer, lab.name))).toMatchObject({ status: 403, title });
    expect(await refusal(edit(viewer))).toMatchObject({ status: 403, title });
    expect(await held()).toEqual(before);
  });

  it('are as protected, and as read-only, as their cluster', async () => {
    await lab.set({ isProtected: true });
    expect(await refusal(remove(admin))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    const { resourceVersion = '' } =
      (await lab.seen('/apis/apps/v1/namespaces/shop/deployments/api'))?.metadata ?? {};
    expect(await refusal(edit(admin, resourceVersion))).toMatchObject({
      status: 409,
      issues: [{ path: 'confirm' }],
    });
    await lab.set({ isReadOnly: true });
    expect(await refusal(remove(admin, lab.name))).toMatchObject({ status: 403 });
    expect(await refusal(edit(admin))).toMatchObject({ status: 403 });
    expect(await held()).toEqual(before);
  });
});

describe.each([
  'role',
  'rbac.authorization.k8s.io~v1~roles',
  'rbac.authorization.k8s.io~~roles',
  'rbac.authorization.k8s.io~~Role',
  'rbac.authorization.k8s.io~v1beta1~Role',
  'crd:roles.rbac.authorization.k8s.io',
])('Roles by the name %s', (kind) => {
  it('are changed by nobody but Owners, whatever permissions they hold', async () => {
    const changes = [...(await tryEverything(admin, kind, 'reader'))].filter(
      ([call]) => !call.startsWith('GET') && !call.endsWith('/actions'),
    );
    expect(changes).toHaveLength(4);
    for (const [call, status] of changes) expect([403, 404], `${call}: ${status}`).toContain(status);
    expect(await held()).toEqual(before);
  });
});

it('a cluster of another company, or without a grant, is none, by whatever call and kind', async () => {
  const { console } = lab;
  const companyId = await console.company();
  const foreign = await console.person({ companyId, isOwner: true });
  for (const kind of ['deployment', 'core~~Secret', 'rbac.authorization.k8s.io~~Role', 'crd:a.example.org']) {
    for (const [call, status] of await tryEverything(foreign, kind, 'api')) expect(status, call).toBe(404);
  }
  const { url } = console;
  const page = await openLive(url, { origin: url, cookie: foreign.client.cookie });
  const list = page.subscribe({ clusterId: lab.clusterId, kind: 'crd:never.example.org' });
  const dashboard = page.dashboard(lab.clusterId);
  await page.until('both ended', () => list.ended !== undefined && dashboard.ended !== undefined);
  expect([list.ended, dashboard.ended]).toEqual([
    { status: 404, title: 'There is no such cluster.' },
    { status: 404, title: 'There is no such cluster.' },
  ]);
  page.socket.terminate();
  expect(await held()).toEqual(before);
});
