import { isPlain, objectIn } from '../objects/read.ts';
import { cleanText } from '../../kube/text.ts';

/** Finalizers by which the cluster itself keeps an object until what it owns is gone, or has no owner any more. */
const ofDependents: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** Finalizers named in a sentence, at most. */
const maxNamed = 3;

/**
 * What an object waits for whose deletion a cluster accepted; undefined where it is gone.
 * @param answer of the cluster to the deletion: a `Status`, or the object as it is from then on
 */
export function pendingDeletion(answer: unknown): string | undefined {
  if (!isPlain(answer)) return undefined;
  const { metadata } = objectIn(answer);
  if (metadata?.deletionTimestamp === undefined) return undefined;
  const finalizers = metadata.finalizers ?? [];
  const foreign = finalizers.filter((one) => !ofDependents.has(one)).map(cleanText);
  if (foreign.length > 0) {
    const rest = foreign.length - maxNamed;
    const named = `${foreign.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    return `it waits for the ${foreign.length === 1 ? 'finalizer' : 'finalizers'} ${named}`;
  }
  if (finalizers.length > 0) return 'it waits for its dependents';
  const { deletionGracePeriodSeconds: grace = 0 } = metadata;
  return grace > 0 ? `it has ${grace} s to end` : undefined;
}
