import { describe, expect, test } from 'vitest';
import type { SearchHit, SearchKind } from '../../src/contract/search.ts';
import { listedKinds } from '../../src/web/core/kinds/listed.ts';
import type { RootParts } from '../../src/web/features/palette/root-parts.ts';
import {
  back,
  excludedOf,
  type Frames,
  lastFrame,
  typed,
  withAllObjects,
  withExcludedObjects,
} from '../../src/web/features/palette/frames.ts';
import { rankHits } from '../../src/web/features/palette/object-entries.ts';
import type { PaletteOpening } from '../../src/web/features/palette/opening.ts';
import { clusters, compose, foundObjects, openingWith, pageContext } from './palette-moment.ts';

const opening = openingWith({
  context: { ...pageContext, focus: 'table', kind: 'deployment', row: 'opens' },
  subject: { type: 'cluster', cluster: '1' },
  keysOf: (id) => (id === 'workspace.toggleSidebar' ? 'mod+b' : undefined),
  clusterId: 1,
  here: '/clusters/1/deployments',
});

const hit = (name: string, kindName = 'Pod'): SearchHit => ({
  clusterId: 1,
  kind: kindName.toLowerCase(),
  kindName,
  namespace: 'shop',
  name,
});

const titles = (text: string, more?: Partial<RootParts>) =>
  compose(text, opening, more).entries.map(({ title }) => title);

const found = (hits: readonly SearchHit[], total?: number): Partial<RootParts> => ({
  objects: foundObjects(hits, total),
});

describe('the palette', () => {
  test.each(['', 'o', '>', ':', '@', '#', '?', 'a'])('“%s” draws fifty entries at most', (text) => {
    const hits = Array.from({ length: 50 }, (_, at) => hit(`pod-${at}-o-a`));
    const many = Array.from({ length: 300 }, (_, at) => `ns-${at}`);
    expect(
      compose(text, opening, { ...found(hits, 100_000), namespaces: many }).entries.length,
    ).toBeLessThanOrEqual(50);
    expect(
      compose(text, opening, { ...found(hits, 100_000), isAlone: true, namespaces: many }).entries.length,
    ).toBeLessThanOrEqual(50);
  });

  test('an id stands only once', () => {
    const ids = compose('o', opening, found([hit('one'), hit('one')])).entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('better matches come first, objects or commands', () => {
    expect(titles('checkout', found([hit('checkout')]))[0]).toBe('checkout');
    expect(titles('toggle sidebar', found([hit('x-toggle-sidebar')]))[0]).toBe('Toggle sidebar');
  });

  test('further objects are counted, and shown alone on demand', () => {
    const hits = Array.from({ length: 20 }, (_, at) => hit(`web-${at}`));
    const entries = compose('web', opening, found(hits, 120)).entries;
    expect(entries.find(({ act }) => act.type === 'all-objects')?.title).toBe(
      '112 more objects in 1 cluster',
    );
    expect(compose('web', opening, { ...found(hits, 120), isAlone: true }).entries).toHaveLength(20);
  });

  test.each([
    ['web', {}],
    ['web', { isAlone: true }],
    [':pods /web', {}],
  ])(
    '%s %j: what excluded namespaces leave out is counted behind the objects, never cut off',
    (text, more) => {
      const hits = Array.from({ length: 60 }, (_, at) => hit(`web-${at}`));
      const objects = { ...foundObjects(hits, 60), excluded: 3 };
      const line = compose(text, opening, { objects, ...more }).entries.find(
        ({ act }) => act.type === 'excluded-objects',
      );
      expect(line?.title).toBe('3 more matches in excluded namespaces');
      const without = { objects: foundObjects(hits, 60), ...more };
      expect(compose(text, opening, without).entries.map(({ act }) => act.type)).not.toContain(
        'excluded-objects',
      );
    },
  );

  test('one key shows what is left out, once it shows no other objects', () => {
    const keysOf = (count: number) =>
      compose('web', opening, {
        objects: {
          ...foundObjects(Array.from({ length: count }, (_, at) => hit(`web-${at}`))),
          excluded: 1,
        },
      }).entries.flatMap(({ keys, act }) => (keys === 'tab' ? [act.type] : []));
    expect(keysOf(0)).toEqual(['excluded-objects']);
    expect(keysOf(20)).toEqual(['all-objects']);
  });

  test('what the row in hand names is found by its kind, behind the list of that kind', () => {
    const href = '/clusters/1/nodes/worker-a1';
    const title = 'Open Node worker-a1';
    const on = openingWith({ clusterId: 1, rowTargets: [{ title, icon: 'node', href }] });
    const titles = (text: string) => compose(text, on).entries.map((entry) => entry.title);
    expect(titles('open node worker')[0]).toBe(title);
    for (const text of ['node', 'nodes', 'open']) expect(titles(text)[0], text).not.toBe(title);
    expect(titles('node')).toContain(title);
  });

  test('results of a cluster that does not answer are marked as stale', () => {
    const [first, ...others] = clusters;
    const gone = [{ ...first, state: { status: 'unreachable' } }, ...others] as typeof clusters;
    const note = 'prod-eu is unreachable: its results may be stale.';
    expect(compose('web', opening, { ...found([hit('web')]), clusters: gone }).notes).toEqual([note]);
    expect(compose('', opening, { clusters: gone }).notes).toEqual([]);
    const all = clusters.map((one) => ({ ...one, state: { status: 'unreachable' } })) as typeof clusters;
    const hits = all.map(({ id }) => ({ ...hit('web'), clusterId: id }));
    const [line, ...more] = compose('web', opening, { ...found(hits), clusters: all }).notes ?? [];
    expect(line).toMatch(/^prod-eu(?:, [\w-]+)* and [\w-]+ are unreachable: their results may be stale\.$/);
    expect(more, 'one line for all').toEqual([]);
    expect(compose('web', opening, found([hit('web')])).notes).toEqual([]);
  });

  test('an answer to an earlier text goes on serving only what still matches', () => {
    const hits = [hit('checkout'), hit('checkers')];
    expect(rankHits(hits, 'checko').map(({ hit: { name } }) => name)).toEqual(['checkout']);
  });

  test('a command shows its keys, and asks for an object if it lacks one', () => {
    const entries = compose('>sidebar', opening).entries;
    expect(entries.find(({ id }) => id === 'command workspace.toggleSidebar')?.keys).toBe('mod+b');
    const alone = compose('>yaml', opening).entries.find(({ id }) => id === 'command object.yaml');
    // Without an object it asks for one.
    expect(alone?.title).toBe('YAML…');
    expect(alone?.reason).toBeUndefined();
  });

  test('actions of one title say what they are for; that of the object at hand comes first and names it', () => {
    const refs = [{ cluster: '1', kind: 'statefulset', namespace: 'shop', name: 'db' }] as const;
    const on = openingWith({
      context: { ...pageContext, focus: 'page', kind: 'statefulset' },
      subject: { type: 'objects', refs, from: 'tile' },
      clusterId: 1,
    });
    const told = (at: PaletteOpening, text: string) =>
      compose(text, at).entries.map(({ title, note }) => `${title} ${note ?? ''}`);
    expect(told(on, 'roll back')[0]).toBe('Roll back… db');
    expect(new Set(told(on, 'roll back')).size).toBe(4);
    expect(told(opening, 'restart statefulset')[0]).toBe('Restart… StatefulSet');
    expect(told(opening, 'scale')).toContain('Scale… custom resources');
    // What nearly every kind has is for none in particular.
    expect(told(opening, 'annotate')[0]).toBe('Annotate… ');
  });
});

describe('the kind mode', () => {
  const hrefs = (text: string) =>
    compose(text, opening).entries.map(({ act }) => (act.type === 'place' ? act.href : act.type));

  test.each([
    [':dp', '/clusters/1/deployments'],
    [':po', '/clusters/1/pods'],
    [':controllerrevisions', '/clusters/1/objects/apps/controllerrevisions'],
    [':sts', '/clusters/1/statefulsets'],
    [':dp shop', '/clusters/1/deployments?ns=shop'],
    [':dp shop /api', '/clusters/1/deployments?ns=shop&q=api'],
    [':dp shop /api @staging', '/clusters/2/deployments?ns=shop&q=api'],
    [':dp @sta', '/clusters/2/deployments'],
    [':no shop', '/clusters/1/nodes'],
  ])('%s leads to %s', (text, href) => {
    expect(hrefs(text)[0]).toBe(href);
  });

  test('kinds of one name are told apart by their groups, and so are their objects', () => {
    const whale: SearchKind = {
      id: 'crd:pods.sea.example.org',
      kind: 'Pod',
      title: 'Pods',
      group: 'sea.example.org',
      plural: 'pods',
      scope: 'Namespaced',
      aliases: ['whale'],
    };
    const both = compose(':pods', opening, { kinds: listedKinds([whale]) }).entries;
    expect(both.slice(0, 2).map(({ title, note }) => [title, note])).toEqual([
      ['Pods', 'pod'],
      ['Pods', 'sea.example.org'],
    ]);
    const orca = { ...hit('orca'), kind: whale.id };
    const notes = compose('orca', opening, found([orca, hit('orca-1')])).entries.map(({ note }) => note);
    expect(notes.slice(0, 2)).toEqual(['Pod · sea.example.org', 'Pod']);
  });

  test('a namespace is completed while it is typed', () => {
    expect(hrefs(':dp sh')).toEqual([
      '/clusters/1/deployments?ns=shop',
      '/clusters/1/deployments?ns=shop-eu',
    ]);
  });

  test('an unknown namespace is accepted as typed', () => {
    expect(hrefs(':dp hidden')[0]).toBe('/clusters/1/deployments?ns=hidden');
  });
});

describe('the other modes', () => {
  test('@ chooses a namespace, # a cluster', () => {
    expect(titles('@shop')).toEqual(['shop', 'shop-eu']);
    expect(titles('@')[0]).toBe('All namespaces');
    expect(titles('#stag')).toEqual(['staging']);
  });

  test('? lists the modes, then the commands with keys', () => {
    const entries = compose('?', opening).entries;
    expect(entries.slice(0, 4).map(({ keys }) => keys)).toEqual(['>', ':', '@', '#']);
    expect(entries.slice(4).every(({ keys }) => keys !== undefined)).toBe(true);
  });

  test('without a cluster @ says what to do', () => {
    expect(compose('@', opening, { clusters: [] }).empty).toMatch(/choose one with #/);
  });

  test('an empty result without a selected cluster suggests to choose one', () => {
    expect(compose('zzz', openingWith({})).empty).toMatch(/No cluster is selected: choose one with #/);
    expect(compose('zzz', openingWith({ clusterId: 1 })).empty).toBeUndefined();
    expect(compose('zzz', openingWith({}), { clusters: [] }).empty).toBeUndefined();
  });
});

describe('the levels', () => {
  const first: Frames = [{ type: 'root', text: 'web', isObjectsOnly: false }];

  test('Esc goes back one level at a time, from objects alone to everything', () => {
    const alone = withAllObjects(first);
    expect(lastFrame(back(alone) ?? alone)).toEqual(first[0]);
    expect(back(first)).toBeUndefined();
  });

  test('excluded namespaces show while somebody types on, until they go back', () => {
    const shown = typed(withExcludedObjects(first), 'webs');
    expect(lastFrame(shown)).toMatchObject({ text: 'webs', showsExcluded: true });
    expect(excludedOf(lastFrame(shown))).toEqual({ excluded: 'shown' });
    const before = back(shown) ?? shown;
    expect(excludedOf(lastFrame(before))).toEqual({});
    expect(back(before)).toBeUndefined();
  });

  test('typing shows everything again', () => {
    expect(lastFrame(typed(withAllObjects(first), 'webs'))).toEqual({
      type: 'root',
      text: 'webs',
      isObjectsOnly: false,
    });
  });
});
