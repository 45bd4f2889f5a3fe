import type { KubeEvent } from '../../kube/infrastructure.ts';
import { groupOf, type NamedObject } from '../../registry/kinds/refs.ts';
import { eventProof, type Proof } from './rule.ts';
import { allOf, seenAt, type World } from './world.ts';

/** Events that are told of an object that is not there. */
const eventLimit = 5;

/** The namespace of the events about what belongs to no namespace. */
export const clusterEvents = 'default';

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
    .map(({ event, of }) => eventProof(of, event));
}

function subjectOf({ involvedObject = {} }: KubeEvent): NamedObject | undefined {
  const { apiVersion = 'v1', kind, namespace, name } = involvedObject;
  if (kind === undefined || name === undefined) return undefined;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Whether an event tells of an object that is gone: it is about it, or about something else and names it with its kind. */
export function tellsOf(
  { message = '' }: Pick<KubeEvent, 'message'>,
  of: NamedObject,
  gone: NamedObject,
): boolean {
  if (of.kind === gone.kind && of.name === gone.name && groupOf(of.apiVersion) === groupOf(gone.apiVersion))
    return true;
  // A name alone is often that of something else, as of a container. `Deleted pod: web-7d4b9c-x2x9k`,
  // `Scaled up replica set web-7d4b9c to 3`, `configmap "web" not found`.
  const escape = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`);
  const kind = escape(gone.kind).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ?');
  const name = escape(gone.name);
  return new RegExp(
    String.raw`(?<![A-Za-z0-9])${kind}:? "?(?:[a-z0-9-]+/)?${name}(?![A-Za-z0-9-]|[.:][A-Za-z0-9])`,
    'i',
  ).test(message);
}
