import { describe, expect, it } from 'vitest';
import { customKind, genericKind } from '../../commands/kinds/custom.ts';
import type { CustomResourceDefinition } from '../../src/kube/custom.ts';
import type { AnyKind } from '../../src/registry/kinds/kind.ts';
import { customScale } from '../../commands/kinds/parts/custom-scale.ts';
import { objectActions } from '../../src/registry/kinds/object-actions.ts';

const definition: CustomResourceDefinition = {
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: { kind: 'Certificate', plural: 'certificates', shortNames: ['cert'] },
    versions: [
      { name: 'v1alpha1', served: false },
      { name: 'v1beta1', served: true },
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Names', type: 'string', jsonPath: '.spec.dnsNames[*]' },
          {
            name: 'Status',
            type: 'string',
            jsonPath: '.status.conditions[?(@.type=="Ready")].message',
            priority: 1,
          },
          { name: 'Revision', type: 'integer', jsonPath: '.status.revision' },
          { name: 'Ends', type: 'date', jsonPath: '.status.notAfter' },
          { name: 'Renews', type: 'boolean', jsonPath: '.spec.renews' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};

function kindOf(version?: string): AnyKind {
  const kind = customKind(definition, version);
  if (kind === undefined) throw new Error('The definition was not taken.');
  return kind;
}

const cells = (kind: AnyKind, object: object) =>
  Object.fromEntries(kind.columns.map((column) => [column.id, column.value(object)]));

describe('the kind of a definition', () => {
  it('has its names, paths and permissions, and its storage version by default', () => {
    expect(kindOf()).toMatchObject({
      id: 'crd:certificates.cert-manager.io',
      kind: 'Certificate',
      title: 'Certificates',
      version: 'v1',
      aliases: ['cert'],
      permissions: { view: 'namespaces.view', manage: 'resources.manage' },
      paths: {
        list: '/clusters/:clusterId/crds/certificates.cert-manager.io',
        detail: [
          '/clusters/:clusterId/namespaces/:namespaceName/crds/certificates.cert-manager.io/:resourceName',
        ],
      },
      actions: objectActions,
    });
    expect(kindOf('v1beta1').version).toBe('v1beta1');
    expect(customKind(definition, 'v1alpha1')).toBeUndefined();
  });

  it('shows its printer columns, each under an id of its own', () => {
    const object = {
      metadata: { name: 'shop', namespace: 'web', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { dnsNames: ['a.example.org', 'b.example.org'], renews: true },
      status: {
        revision: 3,
        notAfter: '2026-06-01T00:00:00Z',
        conditions: [
          { type: 'Ready', status: 'False', reason: 'Pending', message: 'Waiting for the issuer' },
        ],
      },
    };
    expect(cells(kindOf(), object)).toEqual({
      namespace: 'web',
      name: 'shop',
      status: ['Pending', 'info'],
      names: ['a.example.org', 'b.example.org'],
      message: 'Waiting for the issuer',
      revision: 3,
      ends: Date.parse('2026-06-01T00:00:00Z') / 1000,
      renews: 'true',
      labels: [],
      age: Date.parse('2026-01-01T00:00:00Z') / 1000,
    });
    expect(kindOf().columns.find(({ id }) => id === 'message')?.wide).toBe(true);
  });

  it('prints what kubectl prints for slices, unions, descents and filters', () => {
    const additionalPrinterColumns = [
      { name: 'State', type: 'string', jsonPath: '.status.conditions[-1:].type' },
      { name: 'Last', type: 'string', jsonPath: '.status.conditions[-1].type' },
      { name: 'FirstTwo', type: 'string', jsonPath: '.status.conditions[0:2].type' },
      { name: 'Both', type: 'string', jsonPath: ".status['phase','reason']" },
      { name: 'Image', type: 'string', jsonPath: '.spec..image' },
      { name: 'HasMsg', type: 'string', jsonPath: '.status.conditions[?(@.message)].type' },
      { name: 'Big', type: 'string', jsonPath: '.spec.items[?(@.size>5)].name' },
      { name: 'Dotted', type: 'string', jsonPath: String.raw`.metadata.annotations.example\.org/owner` },
      { name: 'Odd', type: 'integer', jsonPath: '.spec.items[?(@.size=~5)].name' },
    ];
    const trainJob = customKind({
      spec: {
        group: 'kubeflow.example.org',
        scope: 'Namespaced',
        names: { kind: 'TrainJob', plural: 'trainjobs' },
        versions: [{ name: 'v1', served: true, storage: true, additionalPrinterColumns }],
      },
    });
    if (trainJob === undefined) throw new Error('The definition was not taken.');
    const object = {
      metadata: { name: 'mnist', namespace: 'default', annotations: { 'example.org/owner': 'team-x' } },
      spec: {
        template: { image: 'reg/a:1' },
        items: [
          { name: 'small', size: 1 },
          { name: 'big', size: 9 },
        ],
      },
      status: {
        phase: 'P',
        reason: 'R',
        conditions: [
          { type: 'Created', status: 'True' },
          { type: 'Running', status: 'False', message: 'm' },
          { type: 'Succeeded', status: 'True' },
        ],
      },
    };
    expect(cells(trainJob, object)).toMatchObject({
      state: 'Succeeded',
      last: 'Succeeded',
      firsttwo: 'Created',
      both: 'P',
      image: 'reg/a:1',
      hasmsg: 'Running',
      big: 'big',
      dotted: 'team-x',
      odd: 'Path not understood',
    });
  });

  it('accepts objects and statuses of any shape', () => {
    for (const object of [
      {},
      { status: 7 },
      { status: { conditions: {} } },
      { status: { conditions: [null, 3, {}] } },
    ]) {
      expect(cells(kindOf(), object)).toMatchObject({
        status: ['No status', 'idle'],
        names: null,
      });
    }
    expect(cells(kindOf(), { status: { phase: 'Issuing' } })).toMatchObject({ status: ['Issuing', 'info'] });
  });

  it('is undefined if a name of the definition would change the structure of a path', () => {
    for (const names of [{ kind: 'X', plural: '../secrets' }, { kind: 'X', plural: 'x/y' }, { kind: 'X' }]) {
      expect(customKind({ spec: { ...definition.spec, names } })).toBeUndefined();
    }
    expect(customKind({})).toBeUndefined();
    expect(customKind({ spec: { ...definition.spec, group: '' } })).toBeUndefined();
  });
});

describe('the status of a definition', () => {
  const versionWith = (change: object) =>
    customKind({
      spec: {
        group: 'example.org',
        names: { kind: 'Kettle', plural: 'kettles' },
        versions: [{ name: 'v1', served: true, storage: true, ...change }],
      },
    });
  const schema = (openAPIV3Schema: object) => ({ schema: { openAPIV3Schema } });
  const ids = (kind: AnyKind | undefined) => kind?.columns.map(({ id }) => id);
  const labels = (kind: AnyKind | undefined) => kind?.columns.map(({ label }) => label);

  it.each([
    ['a status subresource', { subresources: { status: {} } }],
    ['a status in its schema', schema({ type: 'object', properties: { status: { type: 'object' } } })],
    [
      'a schema that allows anything',
      schema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    ],
  ])('has a column for %s', (_what, change) => {
    const kind = versionWith(change);
    expect(ids(kind)).toContain('status');
    expect(kind?.attention).toBeDefined();
  });

  it.each([
    ['nothing said', {}],
    ['a schema without one', schema({ type: 'object', properties: { spec: { type: 'object' } } })],
    ['a subresource that is none', { subresources: { status: null, scale: {} } }],
    ['a schema of the wrong shape', { schema: 7 }],
  ])('has neither a column nor problems with %s', (_what, change) => {
    const kind = versionWith(change);
    expect(ids(kind)).toEqual(['namespace', 'name', 'labels', 'age']);
    expect(kind?.attention).toBeUndefined();
  });

  it('compares generations only with a status subresource', () => {
    const object: object = {
      metadata: { generation: 9 },
      status: { observedGeneration: 1, phase: 'Ready' },
    };
    expect(versionWith({ subresources: { status: {} } })?.status?.(object).tone).toBe('info');
    expect(versionWith(schema({ properties: { status: {} } }))?.status?.(object).tone).toBe('ok');
  });

  it.each([
    ['Ready', '.status.conditions[?(@.type=="Ready")].status'],
    ['READY', ".status.conditions[?(@.type == 'Ready')].status"],
    ['Healthy', '.status.conditions[?(@.type=="Healthy")].status'],
    ['Status', '.status.phase'],
    ['State', '.status.state'],
    ['Health Status', '.status.health.status'],
    ['Status', '.status.conditions[*].type'],
  ])('is not repeated by the column %s of %s', (name, jsonPath) => {
    const change = { subresources: { status: {} }, additionalPrinterColumns: [{ name, jsonPath }] };
    expect(ids(versionWith(change))).toEqual(['namespace', 'name', 'status', 'labels', 'age']);
    expect(ids(versionWith({ additionalPrinterColumns: change.additionalPrinterColumns }))).toHaveLength(5);
  });

  it.each([
    ['Ready', '.status.readyReplicas', 'Ready'],
    ['Synced', '.status.conditions[?(@.type=="Synced")].status', 'Synced'],
    ['Sync Status', '.status.sync.status', 'Sync Status'],
    ['Phase', '.status.phase', 'Phase'],
    ['Status', '.status.conditions[?(@.type=="Ready")].message', 'Message'],
    ['status', '.status.nodeHealth', 'Node health'],
    ['Status', '.spec.status', 'Reported status'],
  ])('appears beside the column %s of %s, which is renamed to %s', (name, jsonPath, label) => {
    const change = { subresources: { status: {} }, additionalPrinterColumns: [{ name, jsonPath }] };
    expect(labels(versionWith(change))).toEqual(['Namespace', 'Name', 'Status', label, 'Labels', 'Age']);
  });

  it('is a problem in the object’s words if it fails, and no problem if it is healthy', () => {
    const kind = versionWith({ subresources: { status: {} } });
    const conditions = [
      {
        type: 'Ready',
        status: 'False',
        reason: 'BoilFailed',
        message: 'no water',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    expect(kind?.attention?.({ status: { conditions } } as object)).toMatchObject({
      rule: 'custom.trouble',
      tone: 'bad',
      title: 'It reports “BoilFailed”.',
      detail: 'no water',
      since: Date.parse('2026-01-01T00:00:00Z') / 1000,
    });
    expect(kind?.attention?.({ status: { phase: 'Ready' } } as object)).toBeUndefined();
    expect(kind?.attention?.({})).toBeUndefined();
  });
});

describe('a hostile definition', () => {
  const columnsOf = (additionalPrinterColumns: unknown) => {
    const hostile = {
      spec: {
        ...definition.spec,
        versions: [{ name: 'v1', served: true, storage: true, additionalPrinterColumns }],
      },
    } as CustomResourceDefinition;
    return customKind(hostile)?.columns.slice(2, -2);
  };

  it('gets at most twenty columns, with names of one readable line', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ name: `C${index}`, jsonPath: '.spec' }));
    expect(columnsOf(many)).toHaveLength(20);
    const [evil] =
      columnsOf([{ name: `\u001b[31mRe\u202ed\r\n${'x'.repeat(500)}`, jsonPath: '.spec' }]) ?? [];
    expect(evil?.label).toBe(`Red ${'x'.repeat(36)}`);
  });

  it('is read, whatever the types of its parts', () => {
    const wrong = [null, 7, 'x', {}, { name: 7, jsonPath: '.a' }, { name: 'A', jsonPath: ['.a'] }];
    expect(columnsOf(wrong)).toEqual([]);
    expect(columnsOf({ length: 3 })).toEqual([]);
    const odd = [
      { name: 'A', jsonPath: '..[', type: 'constructor' },
      { name: 'B', jsonPath: '.spec[*]', type: 7, priority: 'high' },
    ];
    const found = columnsOf(odd) ?? [];
    expect(found.map((column) => column.value({ spec: [{}] } as object))).toEqual([
      'Path not understood',
      '{}',
    ]);
    for (const spec of [
      {},
      { versions: 'v1' },
      { versions: [null, { name: 7, served: true }] },
      { names: 'x' },
    ]) {
      expect(customKind({ spec: { ...definition.spec, ...spec, versions: [] } } as never)).toBeUndefined();
      if ('versions' in spec)
        expect(customKind({ spec: { ...definition.spec, ...spec } } as never)).toBeUndefined();
    }
  });

  it('has no unbounded cell', () => {
    const [column] = columnsOf([{ name: 'All', jsonPath: '.spec.all' }]) ?? [];
    const [many] = columnsOf([{ name: 'Each', jsonPath: '.spec.all[*]' }]) ?? [];
    const object: object = { spec: { all: Array.from({ length: 5_000 }, () => 'x'.repeat(3_000)) } };
    expect(String(column?.value(object)).length).toBeLessThan(1_100);
    const values = many?.value(object) as string[];
    expect(values).toHaveLength(51);
    expect(values[0]?.length).toBeLessThan(1_100);
  });

  it('is listed by its plural if its Kind is invalid, and keeps only short and valid names', () => {
    for (const kind of ['<b>X</b>', 'x'.repeat(64), 'X\u202e', 'My_Kind', '7th', '', undefined]) {
      const names = { ...(kind === undefined ? {} : { kind }), plural: 'xs' };
      const made = customKind({ spec: { ...definition.spec, names } });
      expect(made).toMatchObject({ kind: 'xs', plural: 'xs', title: 'xs' });
      expect(made?.paths.list).toBe(`/clusters/:clusterId/crds/xs.${definition.spec?.group}`);
    }
    const names = { kind: 'X', plural: 'xs', shortNames: ['x', '../y', 7, 'Z'] as string[] };
    expect(customKind({ spec: { ...definition.spec, names } })?.aliases).toEqual(['x']);
  });

  it('is another kind under another name, even with the names of a kind with a file', () => {
    const clash = { ...definition.spec, names: { kind: 'Pod', plural: 'pods' } };
    expect(customKind({ spec: clash })).toMatchObject({
      id: 'crd:pods.cert-manager.io',
      permissions: { view: 'namespaces.view', manage: 'resources.manage' },
    });
  });
});

describe('two versions of a definition', () => {
  const reading = (change: object) => {
    const versions = [{ name: 'v1', served: true, storage: true, ...change }];
    return customKind({ spec: { ...definition.spec, versions } })?.fingerprint;
  };
  it('have different fingerprints only if something visible differs', () => {
    const same = reading({});
    expect(reading({ schema: { openAPIV3Schema: {} } })).toBe(same);
    expect(reading({ name: 'v2' })).not.toBe(same);
    const path = (jsonPath: string) => reading({ additionalPrinterColumns: [{ name: 'A', jsonPath }] });
    expect(path('.a')).not.toBe(same);
    expect(path('.b')).not.toBe(path('.a'));
    expect(path('.a')).toBe(path('.a'));
  });
});

const printing = customKind({
  spec: {
    group: 'example.org',
    names: { kind: 'Kettle', plural: 'kettles' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'All', jsonPath: '.spec' }],
      },
    ],
  },
});
const printedOf = (spec: unknown) =>
  printing?.columns.find(({ id }) => id === 'all')?.value({ metadata: {}, spec } as never);

describe('a column that contains a whole object', () => {
  it.each([[{}], [[]], [{ a: 1, b: [true, null, { c: 'd"e' }], f: {} }], [['x'.repeat(900)]]])(
    'is shown as its JSON: %j',
    (spec) => expect(printedOf(spec)).toBe(JSON.stringify(spec)),
  );

  it('is read only as far as it is shown', () => {
    const list = Array.from({ length: 5_000 }, () => 'xyz');
    Object.defineProperty(list, 4_000, {
      enumerable: true,
      get: () => {
        throw new Error('It was read to its end.');
      },
    });
    const start = JSON.stringify(list.slice(0, 1_000));
    expect(printedOf({ list })).toBe(`${`{"list":${start}`.slice(0, 1_024)}…`);
    expect(printedOf({ long: 'y'.repeat(5_000) })).toBe(`{"long":"${'y'.repeat(1_024 - 9)}…`);
    expect(printedOf({ ['k'.repeat(5_000)]: 1 })).toHaveLength(1_025);
  });
});

describe('a kind without a file', () => {
  it('has generic columns, sections, paths and the actions of every object', () => {
    const resource = {
      group: '',
      version: 'v1',
      plural: 'limitranges',
      kind: 'LimitRange',
      scope: 'Namespaced',
    } as const;
    const kind = genericKind({ resource, permissions: { view: 'owner', manage: 'owner' } });
    expect(kind).toMatchObject({
      id: 'core~v1~limitranges',
      title: 'LimitRanges',
      paths: {
        list: '/clusters/:clusterId/objects/core/limitranges',
        detail: ['/clusters/:clusterId/namespaces/:namespaceName/objects/core/limitranges/:name'],
      },
    });
    expect(kind.columns.map(({ id }) => id)).toEqual(['namespace', 'name', 'labels', 'age']);
    expect(kind.sections).toContain('yaml');
    expect(kind.actions).toEqual(objectActions);
  });
});

describe('a definition with a scale subresource', () => {
  const scaled = (specReplicasPath: unknown) =>
    customKind({
      spec: {
        ...definition.spec,
        versions: [
          { name: 'v1', served: true, storage: true, subresources: { scale: { specReplicasPath } } },
        ],
      },
    } as CustomResourceDefinition);

  it('can be scaled from the count at the path that the definition declares', () => {
    const kind = scaled('.spec.size.count');
    expect(kind?.actions.map(({ id }) => id)).toContain('custom.scale');
    expect(kind?.facts?.({ spec: { size: { count: 4 } } } as object)).toEqual({ replicas: 4 });
    expect(kind?.facts?.({ spec: {} } as object)).toEqual({ replicas: 0 });
    const address = {
      group: 'cert-manager.io',
      version: 'v1',
      plural: 'certificates',
      namespace: 'shop',
      name: 'a',
    };
    if (!('requests' in customScale)) throw new Error('It is no list of requests.');
    expect(customScale.requests({}, { replicas: 3 }, { now: '', address })).toEqual([
      {
        method: 'PATCH',
        path: '/apis/cert-manager.io/v1/namespaces/shop/certificates/a/scale',
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 3 } },
      },
    ]);
    expect(customScale.kubectl(address, { replicas: 3 })).toBe(
      'kubectl scale certificates.cert-manager.io/a -n shop --replicas=3',
    );
  });

  it('gets another fingerprint if that path changes', () => {
    expect(scaled('.spec.a')?.fingerprint).not.toBe(scaled('.spec.b')?.fingerprint);
  });

  it.each([undefined, 7, '', '.status.replicas', '.spec', '.spec[0]', `.spec.${'x'.repeat(300)}`])(
    'cannot be scaled without one, or with a path that no API server takes: %j',
    (path) => {
      expect(scaled(path)?.actions.map(({ id }) => id)).not.toContain('custom.scale');
    },
  );
});
