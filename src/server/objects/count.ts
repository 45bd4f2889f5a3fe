import { collectionPath } from '../../kube/change.ts';
import { isPlainObject } from '../../kube/plain.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { readEach } from './read.ts';

/** Names alone: of a Secret nothing more may come here. */
export const metadataForm =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const maxBytes = 1024 * 1024;

/** Objects that are counted one by one where the cluster does not say how many there are, at most. */
const maxCounted = 20_000;

/**
 * How many objects of a kind its list shows at first, by asking for one of them: the answer says how many remain.
 * Undefined where it does not say. Throws Problem where it cannot be asked.
 * @param namespace all of them without one
 */
export async function countObjects(
  transport: Transport,
  kind: AnyKind,
  namespace?: string,
): Promise<number | undefined> {
  const path = collectionPath(kind, namespace);
  const all = await countAll(transport, kind, path);
  if (kind.aside === undefined || all === undefined) return all;
  return all > maxCounted ? undefined : await countShown(transport, path, kind.title, kind.aside);
}

async function countAll(transport: Transport, kind: AnyKind, path: string): Promise<number | undefined> {
  const found = await transport.json<unknown>({
    path,
    query: { limit: 1 },
    accept: metadataForm,
    answerLimit: { bytes: maxBytes, sentence: `One of ${kind.title} takes more than a megabyte.` },
  });
  return countIn(found);
}

/**
 * Counts what a list does not leave out, by the names of its objects: of what is selected by a field, no API server says
 * how much remains.
 */
async function countShown(
  transport: Transport,
  path: string,
  title: string,
  { field, value }: NonNullable<AnyKind['aside']>,
): Promise<number> {
  const names = await readEach(
    transport,
    {
      path,
      accept: metadataForm,
      fieldSelector: `${field}!=${value}`,
      what: title,
      // Some may have been made meanwhile.
      limit: 2 * maxCounted,
      tooMany: `There are more ${title} than this console counts.`,
    },
    (objects) => objects.map(() => true),
  );
  return names.length;
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
