import { commands } from '../../commands/index.ts';
import type { Cluster } from '../../src/contract/clusters.ts';
import { readPaletteInput } from '../../src/registry/palette/query.ts';
import type { ContextKeys } from '../../src/registry/commands/when.ts';
import { listedKinds } from '../../src/web/core/kinds/listed.ts';
import { type FoundObjects, nothingFound } from '../../src/web/features/palette/ask-objects.ts';
import { commandCandidates } from '../../src/web/features/palette/command-entries.ts';
import { composeRoot } from '../../src/web/features/palette/compose.ts';
import { loadPhrases } from '../../src/web/features/palette/loose-entries.ts';
import { refusedCandidates } from '../../src/web/features/palette/refused-entries.ts';
import type { RootParts } from '../../src/web/features/palette/root-parts.ts';
import { nothingRead } from '../../src/web/features/palette/reading.ts';
import type { PaletteOpening } from '../../src/web/features/palette/opening.ts';
import { routedRegistry } from '../registry/routed.ts';

await loadPhrases();

/** Everything the console can do. */
export const registry = routedRegistry(commands);

/** A reachable cluster that allows everything. */
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
  isShellRecorded: false,
  credentialExpiresAt: null,
  state: { status: 'reachable' },
});

/** The clusters of these tests: 1 is prod-eu, 2 is staging. */
export const clusters: readonly Cluster[] = [cluster(1, 'prod-eu'), cluster(2, 'staging')];

/** A page that is no list, of an Owner, with one tile. */
export const pageContext: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'page',
  kind: 'none',
  row: 'none',
  entry: 'none',
  cluster: 'selected',
  role: 'admin',
  team: 'managed',
  help: 'named',
  billing: 'on',
  route: 'none',
  tiles: 'one',
  tabs: 'one',
  closed: 'none',
  change: 'none',
};

/** The moment a palette is opened in: by somebody who may everything, on nothing in particular. */
export const openingWith = (more: Partial<PaletteOpening> = {}): PaletteOpening => ({
  text: '',
  context: pageContext,
  may: () => true,
  isPermitted: true,
  subject: { type: 'none' },
  keysOf: () => undefined,
  clusterId: undefined,
  inChosenNamespace: (href) => href,
  here: '/',
  at: 0,
  opener: null,
  ...more,
});

/** An answer of the server's index. */
export const foundObjects = (hits: FoundObjects['hits'], total = hits.length): FoundObjects => ({
  ...nothingFound,
  hits,
  total,
  clusters: 1,
  query: { q: '' },
});

/** What the first level shows for a text. */
export function compose(text: string, opening: PaletteOpening, more: Partial<RootParts> = {}) {
  return composeRoot({
    opening,
    registry,
    input: readPaletteInput(text),
    raw: text.slice(1),
    isAlone: false,
    clusters,
    kinds: listedKinds([]),
    commands: commandCandidates(registry, opening),
    recents: [],
    resources: [],
    own: [],
    questions: refusedCandidates(registry, opening, undefined),
    objects: nothingFound,
    reading: { ...nothingRead, words: readPaletteInput(text).text },
    intended: nothingFound,
    objectsTitle: 'Objects',
    namespaces: ['default', 'shop', 'shop-eu'],
    isReadingNamespaces: false,
    ...more,
  });
}
