import { describe, expect, it, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kindById, kindOfObject, kinds } from '../../commands/kinds/index.ts';
import type { CellValue } from '../../src/contract/live.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { CellFormat, CellLink, Kind } from '../../src/registry/kinds/kind.ts';
import { objectOfRoute } from '../../src/registry/commands/kind-commands.ts';
import { cellHref, nameHref } from '../../src/web/data/cell-links.ts';
import { routedRegistry } from '../registry/routed.ts';
import { sampleOf } from './samples.ts';

const cluster = '7';
const everything = () => true;
const registry = routedRegistry(commands);

/** A column or field of a kind, with its cells of each of the kind's samples. */
interface Texts {
  readonly where: string;
  readonly format: CellFormat;
  readonly links?: CellLink | undefined;
  readonly cells: readonly { readonly object: KubeObject; readonly value: CellValue }[];
}

/** What the columns of a join look like: their values come from other objects. */
const joined: Readonly<Record<string, CellValue>> = { scaledBy: ['HorizontalPodAutoscaler', 'sample'] };

/** What only a cluster writes into objects, by kind. */
const writtenByCluster: Readonly<Record<string, object>> = {
  pod: {
    spec: { nodeName: 'worker-1', serviceAccountName: 'default' },
    status: { nominatedNodeName: 'worker-2' },
  },
  persistentvolume: { spec: { claimRef: { namespace: 'shop', name: 'data' } } },
};
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid: '1', controller: true };

/** A sample as it is in a cluster. */
function placed(kind: Kind, sample: KubeObject): KubeObject {
  const object = sample as KubeObject & { readonly spec?: object; readonly status?: object };
  const { spec = {}, status = {} } = (writtenByCluster[kind.id] ?? {}) as typeof object;
  return {
    ...object,
    metadata: {
      ...(kind.scope === 'Namespaced' ? { namespace: 'shop' } : {}),
      ownerReferences: [owner],
      ...object.metadata,
    },
    ...(object.spec === undefined ? {} : { spec: { ...object.spec, ...spec } }),
    ...(object.status === undefined && !('status' in (writtenByCluster[kind.id] ?? {}))
      ? {}
      : { status: { ...object.status, ...status } }),
  };
}

function* textsOf(kind: Kind): Generator<Texts> {
  const { healthy, troubled } = sampleOf(kind);
  const objects = [healthy, ...troubled.values()].map((object) => placed(kind, object));
  for (const { id, format, links, join, value } of kind.columns) {
    const cells = objects.map((object) => ({ object, value: joined[join ?? ''] ?? value(object) }));
    yield { where: `column ${id}`, format, links, cells };
  }
  for (const section of kind.sections) {
    if (typeof section === 'string' || 'of' in section) continue;
    if ('fields' in section) {
      for (const { label, format, links, value } of section.fields) {
        const cells = objects.map((object) => ({ object, value: value(object) }));
        yield { where: `field ${label}`, format, links, cells };
      }
      continue;
    }
    for (const [at, { label, format, links }] of section.columns.entries()) {
      const cells = objects.flatMap((object) =>
        section.rows(object).map((row) => ({ object, value: row[at] ?? null })),
      );
      yield { where: `${section.title}, column ${label}`, format, links, cells };
    }
  }
}

/** The single texts of a cell, as they are asked for where they lead. */
const singleTexts = (format: CellFormat, value: CellValue): readonly CellValue[] =>
  Array.isArray(value) && format !== 'object' ? (value as readonly CellValue[]) : [value];

const namespaceOf = (object: KubeObject) => object.metadata?.namespace ?? '';

/** Where the cells of the samples lead. */
const addressesOf = ({ format, links, cells }: Texts): readonly string[] =>
  links === undefined
    ? []
    : cells.flatMap(({ object, value }) =>
        singleTexts(format, value).flatMap(
          (one) => cellHref(links, { cluster, may: everything })(one, namespaceOf(object)) ?? [],
        ),
      );

/** Formats that a link can be drawn in. */
const linkedFormats: Readonly<Record<CellLink['to'], readonly CellFormat[]>> = {
  named: ['text', 'mono', 'list', 'namespace'],
  reference: ['list', 'mono'],
  placed: ['object'],
  object: ['object'],
  image: ['list', 'mono'],
};

describe.each(kinds.map((kind) => [kind.id, kind] as const))('the links of the kind %s', (_id, kind) => {
  it('lead from a sample to a page of the kind that is declared', () => {
    for (const texts of textsOf(kind)) {
      const { where, format, links } = texts;
      if (links === undefined) continue;
      expect(linkedFormats[links.to], where).toContain(format);
      const addresses = addressesOf(texts);
      expect.soft(addresses, `${where}: no sample has a cell that leads somewhere`).not.toEqual([]);
      for (const address of addresses) {
        if (links.to === 'image') {
          expect(address, where).toMatch(/^https:\/\//);
          continue;
        }
        const found = objectOfRoute(registry.match(address));
        expect(found?.cluster, where).toBe(cluster);
        const linkedKind = kindById(found?.kind ?? '');
        expect(linkedKind, where).toBeDefined();
        if (links.to === 'named' || links.to === 'placed') expect(found?.kind, where).toBe(links.kind);
        expect(found?.namespace !== undefined, where).toBe(linkedKind?.scope === 'Namespaced');
      }
    }
  });

  it('are declared wherever a text is the name of an object that the sample refers to', () => {
    const { healthy } = sampleOf(kind);
    const refs = kind.refs?.(placed(kind, healthy)) ?? [];
    const names = new Set(
      refs.flatMap((ref) => (kindOfObject(ref.apiVersion, ref.kind) === undefined ? [] : [ref.name])),
    );
    for (const { where, format, links, cells } of textsOf(kind)) {
      if (links !== undefined || format === 'name' || format === 'labels') continue;
      // What kind of a subject it is stands in another cell; the section of related objects has the links.
      if (where === 'Subjects, column Name') continue;
      for (const { object, value } of cells) {
        if (object.metadata?.name !== healthy.metadata?.name) continue;
        const texts = Array.isArray(value) ? value : [value];
        expect(
          texts.filter((one) => typeof one === 'string' && names.has(one)),
          `${where} names an object and does not link to it`,
        ).toEqual([]);
      }
    }
  });

  it('open the object of a row by its name', () => {
    const href = nameHref(kind, cluster)('sample', 'shop');
    const found = href === undefined ? undefined : objectOfRoute(registry.match(href));
    expect(found).toEqual({
      cluster,
      kind: kind.id,
      ...(kind.scope === 'Namespaced' ? { namespace: 'shop' } : {}),
      name: 'sample',
    });
  });
});

test('the object of an event is a pair of texts, whatever the cluster sends', () => {
  const object = kindById('event')?.columns.find(({ id }) => id === 'object');
  const cellOf = (involvedObject: unknown) => object?.value({ involvedObject } as unknown as KubeObject);
  for (const odd of [undefined, null, 'text', 7, [], { apiVersion: { a: 1 } }])
    expect(cellOf(odd)).toEqual(['', '']);
  expect(cellOf({ apiVersion: 'batch.volcano.sh/v1', kind: 'Job', name: 'x' })).toEqual([
    'Job.batch.volcano.sh',
    'x',
    '',
  ]);
});

describe('a text that leads nowhere', () => {
  test('names an object that the person may not view', () => {
    const node = { to: 'named', kind: 'node' } as const;
    expect(cellHref(node, { cluster, may: everything })('worker-1', '')).toBe('/clusters/7/nodes/worker-1');
    expect(
      cellHref(node, { cluster, may: (permission) => permission !== 'clusters.view' })('worker-1', ''),
    ).toBe(undefined);
  });

  test('is not the one of a kind of Kubernetes’ own that has the same name', () => {
    const owner = cellHref({ to: 'object' }, { cluster, may: everything });
    expect(owner(['Job', 'nightly'], 'shop')).toContain('/jobs/nightly');
    expect(owner(['Job.batch.volcano.sh', 'nightly'], 'shop')).toContain('/objects/batch.volcano.sh/');
    expect(owner(['ScaledObject.keda.sh', 'checkout'], 'shop')).toContain('checkout');
  });

  test.each(['..', '.', '%2e%2e', '\ud800', ''])('is no name that an address can carry: %j', (name) => {
    for (const namespace of ['shop', name]) {
      for (const id of ['pod', 'node']) {
        const kind = kindById(id);
        if (kind === undefined) throw new Error(`There is no kind ${id}.`);
        const href = nameHref(kind, cluster)(name, namespace);
        // A percent sign is written as such, so it is a name like any other.
        if (href !== undefined) expect(registry.match(href)?.params).toMatchObject({ [`${id}Name`]: name });
      }
    }
  });

  test.each([
    'https://checkout.example/validate',
    'User alice',
    'Group system:masters',
    '/checkout',
    `${'a'.repeat(10_000)}!`,
  ])('is no reference: %s', (text) => {
    expect(
      cellHref({ to: 'reference', kind: 'service' }, { cluster, may: everything })(text, 'shop'),
    ).toBeUndefined();
  });

  test.each([
    ['checkout:80', '/clusters/7/namespaces/shop/services/checkout'],
    ['data/store:443/convert', '/clusters/7/namespaces/data/services/store'],
    ['Service checkout (20%)', '/clusters/7/namespaces/shop/services/checkout'],
    ['/api → checkout:http', '/clusters/7/namespaces/shop/services/checkout'],
  ])('but %s is one', (text, path) => {
    expect(cellHref({ to: 'reference', kind: 'service' }, { cluster, may: everything })(text, 'shop')).toBe(
      path,
    );
  });
});
