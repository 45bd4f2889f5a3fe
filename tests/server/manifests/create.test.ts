import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desc } from 'drizzle-orm';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import type { TestPerson } from '../harness.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';

let lab: Lab;
let admin: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
  viewer = await lab.member(teamRoles.Viewer);
});
afterAll(() => lab.close());

const create = (person: TestPerson, yaml: string) =>
  person.client.call('createResource', { params: { clusterId: lab.clusterId }, body: { yaml } });
const configMap = (name: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;
const lastAudit = async () => {
  const [row] = await lab.console.store.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
  return row;
};

describe('creating from YAML', () => {
  it('creates an object in its namespace and says so', async () => {
    expect(await create(admin, configMap('one', '  namespace: shop\ndata:\n  a: b\n'))).toEqual({
      results: [
        {
          index: 0,
          kind: 'ConfigMap',
          namespace: 'shop',
          name: 'one',
          ok: true,
          message: 'ConfigMap shop/one was created.',
        },
      ],
    });
    expect(await lab.seen('/api/v1/namespaces/shop/configmaps/one')).toMatchObject({ data: { a: 'b' } });
    expect(await lastAudit()).toMatchObject({
      action: 'resource.create',
      status: 200,
      subject: { kind: 'ConfigMap', namespace: 'shop', names: 'one', objects: 1, failed: 0 },
    });
  });

  it('takes the namespace default where a document says none', async () => {
    const { results } = await create(admin, configMap('nowhere'));
    expect(results).toMatchObject([{ namespace: 'default', ok: true }]);
  });

  it('answers for each of several documents, and 200 once anything was created', async () => {
    const { results } = await create(
      admin,
      `${configMap('two', '  namespace: shop\n')}---\n${configMap('one', '  namespace: shop\n')}---\nkind: ConfigMap\n`,
    );
    expect(results).toMatchObject([
      { index: 0, name: 'two', ok: true },
      { index: 1, name: 'one', ok: false, message: 'configmaps "one" already exists' },
      { index: 2, ok: false, message: 'It has no apiVersion.' },
    ]);
  });

  it('creates what was copied from a cluster, without the fields that it writes itself', async () => {
    const copied = configMap(
      'copied',
      `  namespace: shop
  uid: 11111111-2222-3333-4444-555555555555
  resourceVersion: "270"
  generation: 3
  creationTimestamp: "2026-11-28T14:40:37Z"
  deletionTimestamp: "2026-11-28T14:40:37Z"
  selfLink: /api/v1/namespaces/shop/configmaps/copied
  managedFields: [{manager: kubectl, operation: Update}]
data: {a: b}
`,
    );
    expect(await create(admin, copied)).toMatchObject({ results: [{ name: 'copied', ok: true }] });
    const seen = await lab.seen('/api/v1/namespaces/shop/configmaps/copied');
    expect(seen).toMatchObject({ data: { a: 'b' } });
    expect(seen).not.toMatchObject({ metadata: { uid: '11111111-2222-3333-4444-555555555555' } });
    expect(seen).not.toHaveProperty('metadata.deletionTimestamp');
  });

  it('creates the items of a typed list, which need not repeat their kind', async () => {
    const { results } = await create(
      admin,
      `apiVersion: v1
kind: ConfigMapList
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: listed, namespace: shop}}
  - {metadata: {name: bare, namespace: shop}}
  - {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: inner, namespace: shop}}]}
`,
    );
    expect(results).toMatchObject([
      { index: 0, kind: 'ConfigMap', namespace: 'shop', name: 'listed', ok: true },
      { index: 0, kind: 'ConfigMap', namespace: 'shop', name: 'bare', ok: true },
      { index: 0, kind: 'ConfigMap', namespace: 'shop', name: 'inner', ok: true },
    ]);
  });

  it('creates the items of a List and names what the cluster generated', async () => {
    const { results } = await create(
      admin,
      `apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Namespace, metadata: {name: fresh}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {generateName: gen-, namespace: fresh}}
`,
    );
    expect(results).toMatchObject([
      { index: 0, kind: 'Namespace', namespace: null, name: 'fresh', ok: true },
      { index: 0, kind: 'ConfigMap', namespace: 'fresh', name: expect.stringMatching(/^gen-\w+$/), ok: true },
    ]);
  });

  it('fails as the cluster does where the only object was refused', async () => {
    expect(await refusal(create(admin, configMap('one', '  namespace: shop\n')))).toMatchObject({
      status: 409,
      title: 'configmaps "one" already exists',
    });
  });

  it('fails with 422 and each reason where none of several was created', async () => {
    const text = `${configMap('one', '  namespace: shop\n')}---\napiVersion: v1\nkind: Nonsense\nmetadata: {name: x}\n`;
    const problem = await refusal(create(lab.owner, text));
    expect(problem).toMatchObject({ status: 422, title: 'None of the 2 objects was created.' });
    expect(problem.issues.map(({ message }) => message)).toEqual([
      'ConfigMap one: configmaps "one" already exists',
      expect.stringContaining('Nonsense x: '),
    ]);
  });

  it('reports which fields the cluster refused, by their paths in the document', async () => {
    const deployment = (name: string, more: string) =>
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  ${more}
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
`;
    const alone = await refusal(create(admin, deployment('minus', 'replicas: -1')));
    expect(alone.status).toBe(422);
    expect(alone.issues).toMatchObject([
      { path: '0' },
      { path: '0.spec.replicas', message: expect.stringContaining('greater than or equal to 0') },
    ]);
    const unknown = await refusal(create(admin, deployment('odd', 'bogus: 1')));
    expect(unknown.issues.slice(1)).toEqual([
      { path: '0.spec.bogus', message: 'is no field that the cluster knows.' },
    ]);
    const { results } = await create(
      admin,
      `${configMap('beside', '  namespace: shop\n')}---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: in-list, namespace: shop}}
  - {apiVersion: v1, kind: Service, metadata: {name: in-list, namespace: shop}, spec: {ports: [{port: 99999, targetPort: 80}]}}
`,
    );
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(results[2]?.fields).toMatchObject([{ path: 'items[1].spec.ports[0].port' }]);
  });

  it.each([
    ['', 'Enter the YAML of an object.'],
    ['# nothing', 'Enter the YAML of an object.'],
    ['apiVersion: v1\nkind: List\nitems: []\n', 'This text contains no object.'],
    ['a: [', 'Invalid YAML. Please fix the errors before submitting.'],
    ['just words', 'This is not an object: a manifest has apiVersion, kind and metadata.'],
    ['apiVersion: v1\nkind: ConfigMap\n', 'It has no metadata, so no name.'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n', 'It has no name (metadata.name).'],
    [
      'apiVersion: v1\nkind: configmap\nmetadata: {name: a}\n',
      '"configmap" is not a kind: kinds begin with a capital letter, as in Deployment.',
    ],
    ['apiVersion: V1!\nkind: ConfigMap\nmetadata: {name: a}\n', '"V1!" is not an apiVersion.'],
  ])('refuses %j in words', async (yaml, title) => {
    const problem = await refusal(create(admin, yaml));
    expect(problem.title).toContain(title);
    expect([400, 404]).toContain(problem.status);
  });

  it.each([
    ['a namespace that is a number', '  namespace: 123\n', /namespace .*is not a string\. Put it in quotes/],
    ['a namespace that is a truth', '  namespace: true\n', /namespace .*is not a string/],
    ['a namespace with invisible characters', '  namespace: "de\u202efault"\n', /invisible characters/],
    ['a field that the cluster does not know', '  namespace: shop\ndta: {a: b}\n', /unknown field "dta"/],
    ['a merge key of a text', '  namespace: shop\n<<: data\n', /Invalid YAML/],
    ['a merge key in quotes', '  namespace: shop\n"<<": {data: {a: b}}\n', /unknown field "<<"/],
    ['a number as a value of text', '  namespace: shop\ndata: {a: 1}\n', /cannot unmarshal number|data/],
    ['a prototype', '  namespace: shop\n__proto__: {data: {a: b}}\n', /unknown field "__proto__"/],
  ])('creates nothing of %s', async (_what, more, said) => {
    const problem = await refusal(create(admin, configMap('odd-one', more)));
    expect(problem.title).toMatch(said);
    for (const namespace of ['shop', 'default'])
      expect(await lab.seen(`/api/v1/namespaces/${namespace}/configmaps/odd-one`)).toBeUndefined();
  });

  it('says that a name is no text', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 2026}\n';
    expect((await refusal(create(admin, text))).title).toBe(
      'Its name (metadata.name) is not a string. Put it in quotes.',
    );
  });

  it('refuses an alias bomb and a text that takes too long, and goes on serving', async () => {
    const names = 'abcdefghi'.split('');
    const bomb = names
      .map((name, at) => {
        const items = at === 0 ? 'x' : `*${names[at - 1]}`;
        return `${name}: &${name} [${Array(9).fill(items).join(', ')}]\n`;
      })
      .join('');
    expect((await refusal(create(admin, bomb))).title).toBe(
      'Invalid YAML. Please fix the errors before submitting.',
    );
    expect((await create(admin, configMap('after-bomb'))).results).toMatchObject([{ ok: true }]);
  });
});

describe('who may create', () => {
  it('needs resources.manage at all', async () => {
    expect(await refusal(create(viewer, configMap('x')))).toMatchObject({
      status: 403,
      title: expect.stringContaining('"resources.manage"'),
    });
  });

  it('is judged by each document’s own kind', async () => {
    const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: everything}
rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]
`;
    const { results } = await create(admin, `${role}---\n${configMap('allowed')}`);
    expect(results).toMatchObject([
      { ok: false, message: expect.stringContaining('Only an Owner of your organisation') },
      { ok: true },
    ]);
    expect(await lab.seen('/apis/rbac.authorization.k8s.io/v1/clusterroles/everything')).toBeUndefined();
    expect((await create(lab.owner, role)).results).toMatchObject([{ ok: true }]);
  });

  it('changes nothing on a read-only cluster', async () => {
    await lab.set({ isReadOnly: true });
    try {
      expect(await refusal(create(lab.owner, configMap('never')))).toMatchObject({ status: 403 });
      expect(await lab.seen('/api/v1/namespaces/default/configmaps/never')).toBeUndefined();
    } finally {
      await lab.set({ isReadOnly: false });
    }
  });
});

describe('a Secret', () => {
  const canary = 'CANARY-hunter2';
  const secret = (data: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: shop}\n${data}\n`;

  it('leaves its values in no answer, error, log line or audit row', async () => {
    const broken = await refusal(create(admin, secret(`data: {password: ${canary}: [`)));
    expect(JSON.stringify(broken.toBody())).not.toContain(canary);
    const odd = await refusal(create(admin, secret(`data: ["${canary}"]\nimmutable: "${canary}"`)));
    expect(JSON.stringify(odd.toBody())).not.toContain(canary);
    const done = await create(admin, secret(`stringData: {password: "${canary}"}`));
    expect(done.results).toMatchObject([{ ok: true }]);
    const field = await refusal(
      create(admin, secret(`data: {"${'k'.repeat(300)}": "${canary}"}\ntype: "${canary}/${canary}"`)),
    );
    expect(JSON.stringify(field.toBody())).not.toContain(canary);
    const again = await refusal(create(admin, secret(`stringData: {password: "${canary}"}`)));
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    for (const told of [done, again.toBody(), lab.console.log, rows]) {
      expect(JSON.stringify(told)).not.toContain(canary);
      expect(JSON.stringify(told)).not.toContain(Buffer.from(canary).toString('base64'));
    }
  });
});
