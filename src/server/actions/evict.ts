import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import { cleanText } from '../../kube/text.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Procedure } from './procedure.ts';

/** Asks for a pod's end by the Eviction API, which honours disruption budgets. */
export const evict: Procedure = async ({ object, address }) => {
  const { uid } = object.metadata ?? {};
  return await Promise.resolve([
    {
      method: 'POST',
      path: objectPath(address, 'eviction'),
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: address.name, namespace: address.namespace },
        // Another pod of the same name, made meanwhile, is not what was meant.
        ...(uid === undefined ? {} : { deleteOptions: { preconditions: { uid } } }),
      },
    },
  ]);
};

/** A disruption budget's refusal (429) in words of its own; any other failure as it is. */
export function explainEviction(error: unknown, pod: string): unknown {
  if (!(error instanceof ClusterProblem) || error.upstream.status !== 429) return error;
  const causes = error.upstream.body?.details?.causes ?? [];
  const words = causes
    .filter(({ reason }) => reason === 'DisruptionBudget')
    .flatMap(({ message }) => message ?? []);
  if (words.length === 0) return error;
  return new Problem(
    {
      status: 429,
      title: `${pod} cannot be evicted now: ${cleanText(words.join(' ')).replace(/\.?$/, '.')} Try again when more of its pods are ready.`,
      retryable: true,
      where: error.where,
    },
    { cause: error },
  );
}
