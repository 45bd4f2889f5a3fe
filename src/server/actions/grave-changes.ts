import type { KubeObject } from '../../kube/object.ts';
import { isChangeGrave } from '../../registry/kinds/grave-change.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { objectIn } from '../objects/read.ts';

/** A change of an object that may be there. */
interface WantedChange {
  readonly kind: AnyKind;
  /** Path of the object. */
  readonly path: string;
  /** The object as the change asks for it, or a part of it. */
  readonly wanted: KubeObject;
}

/**
 * Whether a change does to an object that is there what a dangerous act does. One that is not there yet has nothing to
 * lose; one that cannot be read counts. The cluster is asked only about what might count.
 */
export async function isGraveOnCluster(
  transport: Pick<Transport, 'json'>,
  { kind, path, wanted }: WantedChange,
): Promise<boolean> {
  if (!isChangeGrave(kind, {}, wanted)) return false;
  let before: KubeObject;
  try {
    before = objectIn(await transport.json<unknown>({ path }));
  } catch (error) {
    return !(error instanceof ClusterProblem && error.upstream.status === 404);
  }
  return isChangeGrave(kind, before, wanted);
}
