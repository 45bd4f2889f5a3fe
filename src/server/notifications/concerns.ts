import { kindOfResource } from '../../../commands/kinds/index.ts';
import { eventTone } from '../../contract/event-tone.ts';
import { type Happening, namespaceSeparator } from '../webhooks/happenings.ts';

/** What is followed, as it is stored: empty texts where it has none. */
export interface Followed {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly isUntilReady: boolean;
}

const namespaceKind = kindOfResource({ group: '', plural: 'namespaces' })?.id;
const listed = (text: string) => text.split(', ').filter((one) => one !== '');

/** What follows may name that a happening concerns. What else they need to concern it, `concerns` says. */
export function namedBy({ namespace, data: { object } }: Pick<Happening, 'namespace' | 'data'>): {
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  readonly names: readonly string[];
} {
  const names = listed(object?.name ?? '');
  const ofNamespaces = object?.kind === namespaceKind ? names : [];
  return {
    namespaces: [...new Set(['', ...namespacesOf(namespace, object), ...ofNamespaces])],
    kinds: ['', ...listed(object?.kind ?? '')],
    // Objects of several namespaces are named with theirs.
    names: [...new Set(['', ...names, ...names.map((name) => name.slice(name.indexOf('/') + 1))])],
  };
}

const namespacesOf = (namespace: string, object: Happening['data']['object']): readonly string[] => [
  ...namespace.split(namespaceSeparator),
  ...listed(object?.namespace ?? ''),
];

/** Whether a happening alerts somebody: to trouble of a chosen kind in the cluster or namespace, or to its end. */
export const isAlertOf = (
  { namespace, events }: { readonly namespace: string; readonly events: readonly string[] },
  happening: Pick<Happening, 'type' | 'namespace' | 'data'>,
): boolean =>
  events.includes(happening.type) &&
  // Of an unreachable cluster nobody knows how its namespaces do.
  (isOfCluster(happening) || concerns({ kind: '', namespace, name: '', isUntilReady: false }, happening));

const isOfCluster = ({ namespace, data }: Pick<Happening, 'namespace' | 'data'>): boolean =>
  namespace === '' && data.object === undefined;

/** Whether a happening is news to somebody who follows something on its cluster. */
export function concerns(
  followed: Followed,
  happening: Pick<Happening, 'type' | 'namespace' | 'data'>,
): boolean {
  const { kind, namespace, name, isUntilReady } = followed;
  // Whoever waits for it to be ready hears why it is not, and of nothing else: that it is ready is told by its status.
  if (isUntilReady && eventTone(happening.type) !== 'bad') return false;
  const { object } = happening.data;
  const namespaces = new Set(namespacesOf(happening.namespace, object));
  if (kind === '') {
    if (namespace === '' || namespaces.has(namespace)) return true;
    return object?.kind === namespaceKind && listed(object?.name ?? '').includes(namespace);
  }
  if (object === undefined || !listed(object.kind).includes(kind)) return false;
  if (namespace !== '' && !namespaces.has(namespace)) return false;
  // Objects of several namespaces are named with theirs.
  const names = listed(object.name);
  return names.includes(name) || (namespace !== '' && names.includes(`${namespace}/${name}`));
}
