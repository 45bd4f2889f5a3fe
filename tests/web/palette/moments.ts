import type { Permission } from '../../../src/contract/permissions.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import type { ObjectRef } from '../../../src/registry/commands/invocation.ts';
import { readPaletteInput } from '../../../src/registry/palette/query.ts';
import { holds } from '../../../src/registry/commands/registry.ts';
import type { ContextKeys } from '../../../src/registry/commands/when.ts';
import { commandCandidates, othersOf, verbsOf } from '../../../src/web/features/palette/command-entries.ts';
import type { Content } from '../../../src/web/features/palette/content.ts';
import { listedKinds } from '../../../src/web/core/kinds/listed.ts';
import { statusCandidates } from '../../../src/web/features/palette/list-entries.ts';
import type { PaletteOpening } from '../../../src/web/features/palette/opening.ts';
import type { Candidate } from '../../../src/web/features/palette/rank-entries.ts';
import { intendedQuery, namedQuery, readText } from '../../../src/web/features/palette/reading.ts';
import { clusters, compose, openingWith, pageContext, registry } from '../palette-moment.ts';
import { answerOf, namespaces } from './estate.ts';

const kinds = listedKinds([]);
const partsByOpening = new WeakMap<PaletteOpening, ReturnType<typeof partsOf>>();

/** What does not depend on the text. */
const partsOf = (opening: PaletteOpening) => ({
  commands: commandCandidates(registry, opening),
  verbs: verbsOf(registry, opening),
  others: othersOf(registry, opening),
  resources: statusCandidates(kinds, clusters, opening),
});

/** What the palette shows for a text, over the objects of these tests. */
export function ask(
  text: string,
  opening: PaletteOpening,
  recents: readonly Candidate[] = [],
  answer = answerOf,
): Content {
  const parts = partsByOpening.get(opening) ?? partsOf(opening);
  partsByOpening.set(opening, parts);
  const known = opening.clusterId === undefined ? [] : namespaces;
  const reading = readText(readPaletteInput(text), {
    verbs: parts.verbs,
    others: parts.others,
    kinds,
    clusters,
    clusterId: opening.clusterId,
    namespaces: known,
  });
  const mayView = (id: string) => holds(kindById(id)?.permissions.view, opening.may);
  return compose(text, opening, {
    reading,
    recents,
    namespaces: known,
    commands: parts.commands,
    resources: parts.resources,
    objects: answer(namedQuery(reading, opening), mayView),
    intended: answer(intendedQuery(reading, opening), mayView),
  });
}

const refOf = (kind: string, name: string, namespace?: string): ObjectRef => ({
  cluster: '1',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
});

/** On a row of a list. */
const onRow = (
  refs: readonly [ObjectRef, ...ObjectRef[]],
  more: Partial<PaletteOpening> = {},
): PaletteOpening => {
  const context: ContextKeys = { ...pageContext, focus: 'table', kind: refs[0].kind, row: 'opens' };
  const from = refs.length > 1 ? 'selection' : 'row';
  return openingWith({ clusterId: 1, context, subject: { type: 'objects', refs, from }, ...more });
};

/** On the page of an object, or on a view of it. */
const onPage = (ref: ObjectRef, focus: ContextKeys['focus'] = 'page'): PaletteOpening =>
  openingWith({
    clusterId: 1,
    context: { ...pageContext, focus, kind: ref.kind },
    subject: { type: 'objects', refs: [ref], from: 'tile' },
  });

const checkoutPod = refOf('pod', 'checkout-7d9c5b8f6c-x2k4p', 'shop');

/** Tabs were closed, and others are open. */
const withTabs: ContextKeys = { ...pageContext, tabs: 'many', closed: 'some' };

const mayView = (permission: Permission) => permission.endsWith('.view') && permission !== 'secrets.view';

/** The moments in which people ask. */
export const moments = {
  dashboard: openingWith({ clusterId: 1, subject: { type: 'cluster', cluster: '1' }, context: withTabs }),
  home: openingWith({ context: { ...pageContext, cluster: 'none' } }),
  podRow: onRow([checkoutPod]),
  selection: onRow([checkoutPod, refOf('pod', 'postgres-0', 'data'), refOf('pod', 'redis-0', 'data')]),
  deploymentPage: onPage(refOf('deployment', 'checkout', 'shop')),
  nodeRow: onRow([refOf('node', 'worker-a1')]),
  log: onPage(checkoutPod, 'log'),
  release: onPage(refOf('release', 'tideline', 'shop')),
  viewer: onRow([refOf('deployment', 'checkout', 'shop')], {
    may: mayView,
    context: { ...pageContext, focus: 'table', kind: 'deployment', row: 'opens', role: 'member' },
  }),
  tiles: openingWith({ clusterId: 1, context: { ...pageContext, tiles: 'many' } }),
  held: onRow([refOf('deployment', 'checkout', 'shop')], {
    context: { ...pageContext, focus: 'table', kind: 'deployment', row: 'opens', change: 'held' },
  }),
  /** A fresh account on the list of deployments of the playground. */
  cartRow: onRow([refOf('deployment', 'cart', 'shop')], {
    here: '/clusters/1/deployments',
    context: { ...withTabs, focus: 'table', kind: 'deployment', row: 'opens', route: 'deployment.list' },
  }),
} as const satisfies Readonly<Record<string, PaletteOpening>>;
