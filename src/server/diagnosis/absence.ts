import type { KubeEvent } from '../../kube/infrastructure.ts';
import type { NamedObject } from '../../registry/refs.ts';
import type { Proof } from './rule.ts';
import { allOf, seenAt, type World } from './world.ts';

/** Events that are told of an object that is not there. */
const eventLimit = 5;

/** What the events of something stand for that belongs to no namespace. */
const clusterEvents = 'default';

/**
 * What still tells of an object that is not there: the newest events about it, and those about what owned it that name it.
 * Asks for the events first, and gives none while they are not known.
 */
export function tracesOf(world: World, gone: NamedObject): Proof[] {
  const { namespace = clusterEvents } = gone;
  const known = allOf(world, 'Event', { namespace, isPartEnough: true }) ?? [];
  return known
    .flatMap((event) => {
      const of = subjectOf(event);
      return of !== undefined && tellsOf(event, of, gone) ? [{ event, of }] : [];
    })
    .toSorted((a, b) => (seenAt(b.event) ?? 0) - (seenAt(a.event) ?? 0))
    .slice(0, eventLimit)
    .map(({ event, of }) => ({
      type: 'event',
      of,
      reason: event.reason ?? '',
      message: event.message ?? '',
      at: seenAt(event),
      count: event.series?.count ?? event.count ?? 1,
    }));
}

function subjectOf({ involvedObject = {} }: KubeEvent): NamedObject | undefined {
  const { apiVersion = 'v1', kind, namespace, name } = involvedObject;
  if (kind === undefined || name === undefined) return undefined;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function tellsOf({ message = '' }: KubeEvent, of: NamedObject, gone: NamedObject): boolean {
  if (of.kind === gone.kind && of.name === gone.name) return true;
  // As `Deleted pod: web-7d4b9c-x2x9k` of a ReplicaSet.
  return message.split(/[^A-Za-z0-9.-]+/).some((word) => word.replace(/\.$/, '') === gone.name);
}
