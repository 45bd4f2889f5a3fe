import { counted } from '../../src/registry/counted.ts';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/contract/live.ts';
import { drawGraph } from '../../src/web/features/graph/draw.ts';
import {
  decideFolding,
  drawBudget,
  foldGraph,
  type Item,
  reveal,
  setOpen,
  showMore,
  unfolded,
} from '../../src/web/features/graph/fold.ts';
import { layoutGraph, nodeSize } from '../../src/web/features/graph/layout.ts';
import { readGraph } from '../../src/web/features/graph/model.ts';
import { tiesByObject, treeRows } from '../../src/web/features/graph/tree.ts';
import { walkGraph } from '../../src/web/features/graph/walk.ts';
import { groupText, nodeText } from '../../src/web/features/graph/words.ts';

type Ties = readonly (readonly [tie: string, to: string])[];

/** A row of the wire: `Pod a` is its own key. */
function row(key: string, ties: Ties = [], tone = 'ok', known = 'live'): Row {
  const [label = '', name = ''] = key.split(' ');
  return [key, [label.toLowerCase(), label, 'shop', name, ['Status', tone], known, ties.flat()]];
}

const order = ['Ingress', 'Service', 'Deployment', 'ReplicaSet', 'Pod', 'ConfigMap', 'Secret'];
const rank = (kind: string) => order.findIndex((label) => label.toLowerCase() === kind);

const api = [
  row('Ingress api', [
    ['targets', 'Service api'],
    ['uses', 'Secret tls'],
  ]),
  row('Service api'),
  row('Deployment api', [['uses', 'ConfigMap api']]),
  row('ReplicaSet api-2', [
    ['owner', 'Deployment api'],
    ['uses', 'ConfigMap api'],
  ]),
  row('ReplicaSet api-1', [['owner', 'Deployment api']], 'idle'),
  row('ReplicaSet api-0', [['owner', 'Deployment api']], 'idle'),
  ...['a', 'b'].map((name) =>
    row(
      `Pod api-${name}`,
      [
        ['owner', 'ReplicaSet api-2'],
        ['selected', 'Service api'],
        ['uses', 'ConfigMap api'],
      ],
      name === 'b' ? 'bad' : 'ok',
    ),
  ),
  row('ConfigMap api'),
  row('ConfigMap one'),
  row('ConfigMap two'),
  row('Secret tls'),
];

const pods = (count: number, owner?: string) =>
  Array.from({ length: count }, (_, at) =>
    row(`Pod many-${at}`, owner === undefined ? [] : [['owner', owner]], at === count - 1 ? 'bad' : 'ok'),
  );

function shown(rows: readonly Row[], root?: string, budget?: number) {
  const model = readGraph(rows);
  const items = foldGraph(model, rank);
  const folding = decideFolding(items, unfolded, root, budget);
  return { model, items, folding, drawing: drawGraph(items, folding, model) };
}
const edgeTexts = (rows: readonly Row[], root?: string) =>
  shown(rows, root)
    .drawing.edges.map(
      ({ from, to, relation, count }) => `${from} ${relation} ${to}${count > 1 ? ` ×${count}` : ''}`,
    )
    .sort();
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

describe('reading a graph', () => {
  test('a need that an object shares with its owner is an edge of the owner alone', () => {
    const { edges } = readGraph(api);
    expect(edges.filter(({ to }) => to === 'ConfigMap api')).toEqual([
      { from: 'Deployment api', to: 'ConfigMap api', relation: 'uses' },
    ]);
  });

  test('a selector is an edge from what selects', () => {
    expect(readGraph(api).edges).toContainEqual({
      from: 'Service api',
      to: 'Pod api-a',
      relation: 'selects',
    });
  });

  test('objects that claim to own each other, or to stand endlessly deep, end nothing', () => {
    const loop = [
      row('Pod a', [['owner', 'Pod b']]),
      row('Pod b', [['owner', 'Pod a']]),
      row('Pod c', [['owner', 'Pod c']]),
    ];
    expect([...readGraph(loop).parents]).toEqual([['Pod a', 'Pod b']]);
    const deep = Array.from({ length: 5_000 }, (_, at) => row(`Pod ${at}`, [['owner', `Pod ${at + 1}`]]));
    expect(() => shown(deep)).not.toThrow();
  });

  test('ties to what is not there are left out', () => {
    expect(readGraph([row('Pod a', [['uses', 'Secret gone']])]).edges).toEqual([]);
  });
});

describe('folding', () => {
  test('kinds stand in their order, objects under their owners, the worst first', () => {
    const { items } = shown(api);
    expect(items.map(({ label, size }) => `${label} ${size}`)).toEqual([
      'Ingress 1',
      'Service 1',
      'Deployment 6',
      'ConfigMap 3',
      'Secret 1',
    ]);
    const deployment = items[2]?.members[0];
    expect(deployment?.tone).toBe('bad');
    expect(ids(deployment?.members[0]?.members ?? [])).toEqual(['Pod api-b', 'Pod api-a']);
  });

  test('earlier ReplicaSets are one group and unconnected objects another; neither opens by itself', () => {
    const { items, drawing } = shown(api);
    expect(items[2]?.members[0]?.members.map((item) => item.sort)).toEqual(['object', 'idle']);
    expect(items[3]?.members.map((item) => item.sort)).toEqual(['object', 'loose']);
    const groups = drawing.nodes
      .filter(({ item }) => item.node === undefined)
      .map(({ item }) => groupText(item));
    expect(groups).toEqual(['2 ReplicaSets, idle', '2 ConfigMaps, tied to nothing']);
  });

  test('draws each edge once, those of closed groups together', () => {
    expect(edgeTexts(api)).toEqual([
      'Deployment api owns Deployment api › idle ReplicaSet replicaset ×2',
      'Deployment api owns ReplicaSet api-2',
      'Deployment api uses ConfigMap api',
      'Ingress api targets Service api',
      'Ingress api uses Secret tls',
      'ReplicaSet api-2 owns Pod api-a',
      'ReplicaSet api-2 owns Pod api-b',
      'Service api selects Pod api-a',
      'Service api selects Pod api-b',
    ]);
  });

  test.each([100, 1_000, 5_000])('%i pods of one owner are one node until somebody opens it', (count) => {
    const rows = [row('ReplicaSet big'), ...pods(count, 'ReplicaSet big')];
    const { drawing, items, folding, model } = shown(rows);
    expect(drawing.nodes.map(nodeText)).toEqual([
      `ReplicaSet big, status, ${count} in it`,
      `${counted(count, 'Pod')}, some failing`,
    ]);
    const group = drawing.nodes[1]?.id ?? '';
    const opened = setOpen(folding, group, true);
    const first = drawGraph(items, opened, model);
    expect(first.nodes).toHaveLength(1 + 50 + 1);
    expect(first.nodes[1]?.item.tone).toBe('bad');
    expect(first.nodes.at(-1)?.more).toBe(count - 50);
    expect(drawGraph(items, showMore(opened, group), model).nodes.length).toBeGreaterThan(first.nodes.length);
  });

  test('never draws more than the budget without being asked', () => {
    const rows = Array.from({ length: 600 }, (_, at) => [
      row(`Deployment d${at}`, [['uses', `ConfigMap c${at}`]]),
      row(`ReplicaSet d${at}-1`, [['owner', `Deployment d${at}`]]),
      ...['a', 'b', 'c'].map((pod) => row(`Pod d${at}-${pod}`, [['owner', `ReplicaSet d${at}-1`]])),
      row(`ConfigMap c${at}`),
    ]).flat();
    expect(shown(rows).drawing.nodes.length).toBeLessThanOrEqual(drawBudget);
    // The worst of the many, not one closed group of all.
    expect(shown(rows).drawing.nodes.filter(({ item }) => item.label === 'Deployment').length).toBe(51);
    expect(shown(api, undefined, 6).drawing.nodes.length).toBeLessThanOrEqual(6);
  });

  test('a new object does not fold groups that are open', () => {
    const before = shown(api);
    const more = foldGraph(readGraph([...api, ...pods(300)]), rank);
    const after = decideFolding(more, before.folding);
    for (const [id, open] of before.folding.open) expect(after.open.get(id)).toBe(open);
    expect(decideFolding(more, after)).toBe(after);
  });

  test('the way to what the graph begins with is open', () => {
    const rows = [row('ReplicaSet big'), ...pods(300, 'ReplicaSet big')];
    const { drawing } = shown(rows, 'Pod many-299');
    expect(drawing.nodes.map(({ id }) => id)).toContain('Pod many-299');
  });

  test('revealing an object opens the way to it, past the page that shows', () => {
    const rows = [row('ReplicaSet big'), ...pods(300, 'ReplicaSet big')];
    const { items, folding, model } = shown(rows);
    const drawn = drawGraph(items, reveal(items, folding, 'Pod many-200'), model);
    expect(drawn.nodes.map(({ id }) => id)).toContain('Pod many-200');
    expect(reveal(items, folding, 'Pod nowhere')).toBe(folding);
  });

  test('every object has a node that stands for it', () => {
    const { drawing, model } = shown([...api, ...pods(300)]);
    expect([...model.nodes.keys()].filter((key) => !drawing.standIn.has(key))).toEqual([]);
  });
});

describe('the tree', () => {
  const lines = (rows: readonly Row[]) => {
    const { model, items, folding } = shown(rows);
    return treeRows(items, folding, tiesByObject(model));
  };

  test('says every edge of the graph: what stands under what, and each tie at both its ends', () => {
    const { model, items } = shown(api);
    const all = new Map(
      items.flatMap(function open(item: Item): [string, boolean][] {
        return [[item.id, true], ...item.members.flatMap(open)];
      }),
    );
    const rows = treeRows(items, { open: all, shown: new Map() }, tiesByObject(model));
    const ties = rows.flatMap(({ sort, item, tie }) =>
      sort === 'tie' ? `${item.id} ${tie?.words} ${tie?.to.key}` : [],
    );
    for (const { from, to, relation } of model.edges) {
      expect(ties).toContain(`${from} ${relation} ${to}`);
      expect(ties.some((text) => text.startsWith(`${to} `) && text.endsWith(` ${from}`))).toBe(true);
    }
    for (const [child, parent] of model.parents) {
      const at = rows.findIndex(({ id }) => id === child);
      const above = rows.slice(0, at).filter(({ level }) => level < (rows[at]?.level ?? 0));
      expect(above.map(({ id }) => id)).toContain(parent);
    }
  });

  test('levels, positions and sizes of sets are those of the pattern', () => {
    const rows = lines(api);
    for (const [index, { level, position, setSize, parent }] of rows.entries()) {
      const siblings = rows.filter((other) => other.parent === parent);
      expect(siblings).toHaveLength(setSize);
      expect(siblings.indexOf(rows[index] as never)).toBe(position - 1);
      expect(level - (rows.find(({ id }) => id === parent)?.level ?? 0)).toBe(1);
    }
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('an object that hundreds use lists some and says how many more', () => {
    const users = Array.from({ length: 400 }, (_, at) => row(`Pod p${at}`, [['uses', 'Secret shared']]));
    const { model, items, folding } = shown([row('Secret shared'), ...users]);
    const rows = treeRows(items, setOpen(folding, 'Secret shared', true), tiesByObject(model));
    expect(rows.filter(({ sort, item }) => sort === 'tie' && item.id === 'Secret shared')).toHaveLength(50);
    expect(rows.find(({ sort }) => sort === 'rest')?.count).toBe(350);
  });
});

describe('walking', () => {
  const places = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 300, y: -50 }],
    ['c', { x: 300, y: 60 }],
    ['d', { x: 300, y: 200 }],
    ['e', { x: 600, y: 0 }],
    ['f', { x: 0, y: 400 }],
    ['g', { x: 300, y: 400 }],
  ]);
  const edge = (from: string, to: string) => ({
    id: `${from}${to}`,
    from,
    to,
    relation: 'uses' as const,
    count: 1,
  });
  const edges = [edge('a', 'b'), edge('a', 'd'), edge('c', 'e'), edge('b', 'e')];
  test.each([
    ['a', 'right', 'b'],
    ['b', 'left', 'a'],
    ['d', 'left', 'a'],
    ['e', 'left', 'b'],
    ['b', 'down', 'c'],
    ['c', 'down', 'd'],
    ['c', 'up', 'b'],
    ['c', 'left', undefined],
    ['f', 'right', 'g'],
    ['g', 'left', 'f'],
    ['b', 'up', undefined],
    ['a', 'left', undefined],
    ['g', 'right', undefined],
    ['gone', 'right', undefined],
  ] as const)('from %s to the %s: %s', (from, direction, to) => {
    expect(walkGraph(from, direction, edges, places)).toBe(to);
  });

  test('reaches every node of a drawing from its first one by arrows alone', () => {
    const { drawing } = shown([...api, ...pods(30)]);
    const laid = new Map(
      layoutGraph({
        nodes: drawing.nodes.map(({ id }) => id),
        edges: drawing.edges.map(({ from, to }) => [from, to] as const),
      }).map(([id, x, y]) => [id, { x, y }]),
    );
    const reached = new Set([drawing.nodes[0]?.id ?? '']);
    for (const id of reached)
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = walkGraph(id, direction, drawing.edges, laid);
        if (next !== undefined) reached.add(next);
      }
    expect(reached.size).toBe(drawing.nodes.length);
  });
});

test('a graph is laid out from left to right, each node at a place of its own', () => {
  const places = layoutGraph({
    nodes: ['a', 'b', 'c'],
    edges: [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c'],
    ],
  });
  const at = new Map(places.map(([id, x, y]) => [id, { x, y }]));
  expect((at.get('a')?.x ?? 0) < (at.get('b')?.x ?? 0)).toBe(true);
  expect((at.get('b')?.x ?? 0) < (at.get('c')?.x ?? 0)).toBe(true);
});

test('connected objects are drawn together, unconnected ones below; no two nodes overlap', () => {
  const nodes = ['a', 'x', 'b', 'c', 'd', ...Array.from({ length: 9 }, (_, at) => `alone-${at}`)];
  const places = layoutGraph({
    nodes,
    edges: [
      ['a', 'b'],
      ['c', 'd'],
      ['x', 'd'],
    ],
  });
  const y = new Map(places.map(([id, , top]) => [id, top]));
  const most = (...ids: readonly string[]) => Math.max(...ids.map((id) => y.get(id) ?? 0));
  const least = (...ids: readonly string[]) => Math.min(...ids.map((id) => y.get(id) ?? 0));
  expect(most('a', 'b') < least('x', 'c', 'd')).toBe(true);
  expect(most('x', 'c', 'd') < least(...nodes.filter((id) => id.startsWith('alone')))).toBe(true);
  for (const [id, left, top] of places)
    for (const [other, x, otherY] of places)
      expect(
        id === other || Math.abs(left - x) >= nodeSize.width || Math.abs(top - otherY) >= nodeSize.height,
      ).toBe(true);
});

test.each([
  [1, 'Pod', '1 Pod'],
  [2, 'Ingress', '2 Ingresses'],
  [1_200, 'NetworkPolicy', '1,200 NetworkPolicies'],
  [2, 'Gateway', '2 Gateways'],
])('%i %s is written %s', (count, label, text) => {
  expect(counted(count, label)).toBe(text);
});
