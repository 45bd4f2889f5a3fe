import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Cluster } from '../../src/contract/clusters.ts';
import type { SearchHit } from '../../src/contract/search.ts';
import { readPaletteInput } from '../../src/registry/palette-query.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { commandCandidates } from '../../src/web/palette/command-entries.ts';
import { composeRoot, type RootParts } from '../../src/web/palette/compose.ts';
import { back, type Frames, lastFrame, typed, withAllObjects } from '../../src/web/palette/frames.ts';
import { listedKinds } from '../../src/web/kinds/listed.ts';
import type { PaletteOpening } from '../../src/web/palette/opening.ts';
import { rankHits } from '../../src/web/palette/object-entries.ts';

const registry = createRegistry(commands);

const cluster = (id: number, name: string): Cluster => ({
  id,
  name,
  description: '',
  source: 'kubeconfig',
  server: '',
  colour: 1,
  isProtected: false,
  isReadOnly: false,
  isShellAllowed: true,
  credentialExpiresAt: null,
  state: { status: 'reachable' },
});

const opening: PaletteOpening = {
  text: '',
  context: {
    shell: 'app',
    overlay: 'none',
    focus: 'table',
    kind: 'deployment',
    row: 'opens',
    entry: 'none',
    cluster: 'selected',
    role: 'admin',
    help: 'named',
    tiles: 'one',
  },
  may: () => true,
  subject: { type: 'cluster', cluster: '1' },
  keysOf: (id) => (id === 'workspace.toggleSidebar' ? 'mod+b' : undefined),
  clusterId: 1,
  here: '/clusters/1/deployments',
  at: 0,
  opener: null,
};

const hit = (name: string, kindName = 'Pod'): SearchHit => ({
  clusterId: 1,
  kind: kindName.toLowerCase(),
  kindName,
  namespace: 'shop',
  name,
});

const clusters = [cluster(1, 'prod-eu'), cluster(2, 'staging')];

function compose(text: string, more: Partial<RootParts> = {}) {
  return composeRoot({
    opening,
    registry,
    input: readPaletteInput(text),
    raw: text.slice(1),
    isAlone: false,
    clusters,
    kinds: listedKinds([]),
    commands: commandCandidates({ registry }, opening),
    recents: [],
    resources: [],
    own: [],
    objects: { hits: [], total: 0, clusters: 0, notes: [], query: undefined, isPending: false },
    objectsTitle: 'Objects',
    namespaces: ['default', 'shop', 'shop-eu'],
    isReadingNamespaces: false,
    ...more,
  });
}

const titles = (text: string, more?: Partial<RootParts>) =>
  compose(text, more).entries.map(({ title }) => title);

const found = (hits: readonly SearchHit[], total = hits.length): Partial<RootParts> => ({
  objects: { hits, total, clusters: 1, notes: [], query: { q: '' }, isPending: false },
});

describe('the palette', () => {
  test.each(['', 'o', '>', ':', '@', '#', '?', 'a'])('“%s” draws fifty entries at most', (text) => {
    const hits = Array.from({ length: 50 }, (_, at) => hit(`pod-${at}-o-a`));
    const many = Array.from({ length: 300 }, (_, at) => `ns-${at}`);
    expect(compose(text, { ...found(hits, 100_000), namespaces: many }).entries.length).toBeLessThanOrEqual(
      50,
    );
    expect(
      compose(text, { ...found(hits, 100_000), isAlone: true, namespaces: many }).entries.length,
    ).toBeLessThanOrEqual(50);
  });

  test('an id stands only once', () => {
    const ids = compose('o', found([hit('one'), hit('one')])).entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('what is found better comes first: objects or commands', () => {
    expect(titles('checkout', found([hit('checkout')]))[0]).toBe('checkout');
    expect(titles('toggle sidebar', found([hit('x-toggle-sidebar')]))[0]).toBe('Toggle sidebar');
  });

  test('more objects than fit are said with their number, and shown alone on demand', () => {
    const hits = Array.from({ length: 20 }, (_, at) => hit(`web-${at}`));
    const entries = compose('web', found(hits, 120)).entries;
    expect(entries.find(({ act }) => act.type === 'all-objects')?.title).toBe(
      '112 more objects in 1 cluster',
    );
    expect(compose('web', { ...found(hits, 120), isAlone: true }).entries).toHaveLength(20);
  });

  test('an answer to an earlier text goes on serving only what still matches', () => {
    const hits = [hit('checkout'), hit('checkers')];
    expect(rankHits(hits, 'checko').map(({ hit: { name } }) => name)).toEqual(['checkout']);
  });

  test('a command tells its keys, and asks where it lacks an object', () => {
    const entries = compose('>sidebar').entries;
    expect(entries.find(({ id }) => id === 'command workspace.toggleSidebar')?.keys).toBe('mod+b');
    const alone = compose('>yaml').entries.find(({ id }) => id === 'command object.yaml');
    // Without an object it asks for one.
    expect(alone?.title).toBe('YAML…');
    expect(alone?.reason).toBeUndefined();
  });
});

describe('the kind mode', () => {
  const hrefs = (text: string) =>
    compose(text).entries.map(({ act }) => (act.type === 'place' ? act.href : act.type));

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

  test('a namespace is completed while it is typed', () => {
    expect(hrefs(':dp sh')).toEqual([
      '/clusters/1/deployments?ns=shop',
      '/clusters/1/deployments?ns=shop-eu',
    ]);
  });

  test('a namespace that nobody knows is taken as it is', () => {
    expect(hrefs(':dp hidden')[0]).toBe('/clusters/1/deployments?ns=hidden');
  });
});

describe('the other modes', () => {
  test('@ chooses a namespace, # a cluster', () => {
    expect(titles('@shop')).toEqual(['shop', 'shop-eu']);
    expect(titles('@')[0]).toBe('All namespaces');
    expect(titles('#stag')).toEqual(['staging']);
  });

  test('? tells the modes, then what has keys', () => {
    const entries = compose('?').entries;
    expect(entries.slice(0, 4).map(({ keys }) => keys)).toEqual(['>', ':', '@', '#']);
    expect(entries.slice(4).every(({ keys }) => keys !== undefined)).toBe(true);
  });

  test('without a cluster @ says what to do', () => {
    expect(compose('@', { clusters: [] }).empty).toMatch(/choose one with #/);
  });
});

describe('the levels', () => {
  const first: Frames = [{ type: 'root', text: 'web', isObjectsOnly: false }];

  test('Esc goes back one level at a time, from objects alone to everything', () => {
    const alone = withAllObjects(first);
    expect(lastFrame(back(alone) ?? alone)).toEqual(first[0]);
    expect(back(first)).toBeUndefined();
  });

  test('typing shows everything again', () => {
    expect(lastFrame(typed(withAllObjects(first), 'webs'))).toEqual({
      type: 'root',
      text: 'webs',
      isObjectsOnly: false,
    });
  });
});
