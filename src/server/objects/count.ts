import { collectionPath } from '../../kube/change.ts';
import { isPlainObject } from '../../kube/plain.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';

/** Names alone: of a Secret nothing more may come here. */
const metadataForm = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const mostBytes = 1024 * 1024;

/**
 * How many objects of a kind a cluster has, by asking for one of them: the answer says how many remain. Undefined where
 * it does not say. Throws Problem where it cannot be asked.
 * @param namespace all of them without one
 */
export async function countObjects(
  transport: Transport,
  kind: AnyKind,
  namespace?: string,
): Promise<number | undefined> {
  const found = await transport.json<unknown>({
    path: collectionPath(kind, namespace),
    query: { limit: 1 },
    accept: metadataForm,
    most: { bytes: mostBytes, sentence: `One of ${kind.title} takes more than a megabyte.` },
  });
  return countIn(found);
}

/** The count that a list of one object tells; undefined for one that does not. */
export function countIn(list: unknown): number | undefined {
  if (!isPlainObject(list) || !Array.isArray(list['items'])) return undefined;
  const metadata = isPlainObject(list['metadata']) ? list['metadata'] : {};
  const { continue: more = '', remainingItemCount: remaining } = metadata;
  if (more === '') return list['items'].length;
  return Number.isSafeInteger(remaining) && Number(remaining) >= 0
    ? list['items'].length + Number(remaining)
    : undefined;
}
