import { kindById } from '../../../commands/kinds/index.ts';
import { groupOf, type NamedObject, refKey } from '../../registry/kinds/refs.ts';
import type { Reach } from '../access/grants.ts';
import type { HeldPermissions } from '../access/held.ts';
import { viewPlace } from '../access/place.ts';
import { isExcluded, noneExcluded } from '../access/sight.ts';
import { readReference } from '../live/graph/reference.ts';
import { clusterEvents } from './absence.ts';
import type { Cause } from './diagnose.ts';
import type { Viewed } from './reading-world.ts';
import type { Proof } from './rule.ts';

/** Every object that a cause names, events as what they are themselves. */
export function citedBy({ object, path, evidence }: Cause): readonly NamedObject[] {
  return [object, ...path, ...evidence.flatMap(citedAs)];
}

/** The objects that a piece of evidence names: that which it is about, and an event as what it is itself. */
export function citedAs({ type, of }: Proof): readonly NamedObject[] {
  const { namespace = clusterEvents } = of;
  return type === 'event' ? [of, { apiVersion: 'v1', kind: 'Event', namespace, name: '-' }] : [of];
}

/** The kind of something named as far as it says where it is viewed, and what that needs; undefined if nothing has the name. */
function viewedKind({ apiVersion, kind: label, namespace, name = '-' }: Viewed) {
  const place = namespace === undefined ? {} : { namespace };
  const reference = readReference(refKey({ apiVersion, kind: label, ...place, name }));
  if (reference === undefined) return undefined;
  const kind = kindById(reference.kind) ?? {
    scope: (namespace ?? '') === '' ? ('Cluster' as const) : ('Namespaced' as const),
    group: groupOf(apiVersion),
    plural: '',
  };
  return { kind, need: reference.need };
}

/** Whether somebody may view an object, or without a name all of its kind there. */
export function mayView(held: HeldPermissions, viewed: Viewed): boolean {
  const found = viewedKind(viewed);
  return found !== undefined && held.may(found.need, viewPlace(found.kind, viewed));
}

/**
 * Whether somebody sees an object: they may view it, and do not leave out where it is.
 * @param asked the namespace that they asked about: it is not left out
 */
export function sees({ held, excluded }: Reach, named: NamedObject, asked: string | undefined): boolean {
  const kind = viewedKind(named)?.kind;
  if (kind === undefined || !mayView(held, named)) return false;
  const { namespace = '', name } = named;
  const left =
    asked === undefined || excluded.size === 0
      ? excluded
      : new Set([...excluded].filter((one) => one !== asked));
  return !isExcluded(left.size === 0 ? noneExcluded : left, kind, { namespace, name });
}
