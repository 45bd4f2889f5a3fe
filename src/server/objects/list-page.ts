import type { ObjectBody } from '../../contract/objects.ts';
import { collectionPath } from '../../kube/change.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { inSteps } from '../kit/turns.ts';
import { namespaceOf } from './address.ts';
import { presentObjects } from './present.ts';
import { pageIn } from './read.ts';

const megabyte = 1024 * 1024;
/** One page of a list is held whole, in several forms, for each of the people who ask for one. */
const maxPageBytes = 32 * megabyte;

/** A page of a list, as it is asked for. */
export interface ListPageQuery {
  readonly limit: number;
  readonly continue?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/**
 * One page of the objects of a kind as people see them, of all namespaces without one, straight from the cluster. Throws
 * ClusterProblem, also for a page of too many bytes.
 */
export async function readListPage(
  transport: Transport,
  {
    kind,
    namespace,
    cluster,
  }: { readonly kind: AnyKind; readonly namespace?: string | undefined; readonly cluster: string },
  { limit, continue: after, labelSelector }: ListPageQuery,
  signal: AbortSignal,
): Promise<{ items: ObjectBody[]; continue?: string }> {
  const list = await transport.json<unknown>({
    path: collectionPath(kind, namespace === undefined ? undefined : namespaceOf(kind, namespace)),
    query: { limit, continue: after, labelSelector },
    answerLimit: {
      bytes: maxPageBytes,
      sentence: `${limit} ${kind.title} of ${cluster} take more than ${maxPageBytes / megabyte} MB in one answer. Ask for fewer at a time (limit).`,
    },
    signal,
  });
  const { items, next } = pageIn(list, kind.title, cluster);
  return {
    items: await inSteps(presentObjects(kind, items), signal),
    ...(next === undefined ? {} : { continue: next }),
  };
}
