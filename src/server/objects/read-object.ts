import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { readReleaseObject } from './release/read.ts';
import { addressOf, nameOf } from './address.ts';
import { objectIn } from './read.ts';

/** Reads one object, wherever its kind comes from. Throws ClusterProblem; Problem 404 for a release that is not there. */
export async function readObject(
  transport: Transport,
  kind: AnyKind,
  ref: { readonly namespace?: string | undefined; readonly name: string },
  { cluster, signal }: { readonly cluster?: string; readonly signal?: AbortSignal } = {},
): Promise<KubeObject> {
  const address = addressOf(kind, ref);
  if (kind.source === 'helm') {
    return await readReleaseObject(transport, { namespace: address.namespace ?? '', name: address.name });
  }
  const more = signal === undefined ? {} : { signal };
  try {
    return objectIn(await transport.json<unknown>({ path: objectPath(address), ...more }), cluster);
  } catch (error) {
    throw isOfObject(error, address.name) ? absent(error, nameOf(kind, address)) : error;
  }
}

/** Whether a cluster says that the object itself is not there; its kind or namespace may be missing as well. */
const isOfObject = (error: unknown, name: string): error is ClusterProblem =>
  error instanceof ClusterProblem &&
  error.upstream.status === 404 &&
  error.upstream.body?.details?.name === name;

/** Whether an error of `readObject` says that the object is not there, where its kind and namespace are. */
export const isAbsent = (error: unknown, name: string): boolean =>
  isOfObject(error, name) ||
  (error instanceof Problem && !(error instanceof ClusterProblem) && error.status === 404);

/** The same in words that say which object is meant. */
const absent = (error: ClusterProblem, named: string): ClusterProblem =>
  new ClusterProblem(
    {
      status: error.status,
      title: `${named} was not found.`,
      retryable: false,
      where: error.where,
    },
    error.upstream,
    { cause: error },
  );

/** Throws Problem 400 for a kind whose objects are none of the API. */
export function requireApi(kind: AnyKind): void {
  if (kind.source === undefined) return;
  throw new Problem({
    status: 400,
    title: `${kind.title} are not API objects: they are stored in Secrets or ConfigMaps and have their own calls.`,
  });
}
