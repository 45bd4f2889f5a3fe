import type { ReleaseResource } from '../../contract/releases.ts';
import { Problem } from '../../contract/problem.ts';
import { cleanText } from '../../kube/text.ts';
import type { HeldPermissions } from '../access/held.ts';
import { isWithin, viewPlace } from '../access/place.ts';
import type { Transport } from '../clusters/transport.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { shaped } from '../objects/read.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { liveObject } from './apply.ts';
import { type ManifestObject, placeObjects } from './manifest.ts';

/** Inputs of a release's statuses besides its objects. */
export interface ResourceParts {
  /** Of the release, for objects that name none. */
  readonly namespace: string;
  readonly cluster: ClusterRow;
  readonly held: HeldPermissions;
  readonly kinds: KindCatalogue;
  readonly transport: Transport;
}

/**
 * The status of one object of a release, as far as the person may see it: undefined for one where they reach nothing. One
 * that cannot be known says so. Throws no Problem.
 */
export async function resourceStatus(
  parts: ResourceParts,
  one: ManifestObject,
): Promise<ReleaseResource | undefined> {
  const { cluster, held, kinds, transport } = parts;
  const named = {
    apiVersion: cleanText(one.apiVersion),
    kind: cleanText(one.kind),
    name: cleanText(one.name),
  };
  const unknown = { ...named, namespace: one.namespace ?? null, kindId: null, status: null };
  try {
    const [placed] = await placeObjects([one], parts.namespace, { kinds, cluster });
    if (placed === undefined) return { ...unknown, state: 'unknown' };
    const { kindOf, address, path } = placed;
    const { namespace = '', name } = address;
    if (!isWithin(held.namespaces, kindOf, { namespace, name })) return undefined;
    const known = { ...named, namespace: address.namespace ?? null, kindId: kindOf.id, status: null };
    if (!held.may(kindOf.permissions.view, viewPlace(kindOf, address))) return { ...known, state: 'unknown' };
    const object = await liveObject(transport, path);
    if (object === undefined) return { ...known, state: 'missing' };
    const status = shaped(placed.title, () => kindOf.status?.(object));
    return {
      ...known,
      state: 'there',
      status: status === undefined ? null : [cleanText(status.label), status.tone],
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Of a kind that cannot be found it is not known where its objects are.
    return held.namespaces === 'all' ? { ...unknown, state: 'unknown' } : undefined;
  }
}
