import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { readReleaseObject } from '../helm/read.ts';
import { addressOf } from './address.ts';
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
  return objectIn(await transport.json<unknown>({ path: objectPath(address), ...more }), cluster);
}

/** Throws Problem 400 for a kind whose objects are none of the API. */
export function requireApi(kind: AnyKind): void {
  if (kind.source === undefined) return;
  throw new Problem({
    status: 400,
    title: `${kind.title} are no objects of the API: they are kept in Secrets, and have calls of their own.`,
  });
}
