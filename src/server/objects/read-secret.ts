import { secret as secretKind } from '../../../commands/kinds/secret.ts';
import { objectPath } from '../../kube/change.ts';
import type { Secret } from '../../kube/secret.ts';
import type { Transport } from '../clusters/transport.ts';
import { addressOf } from './address.ts';
import { isPlain, objectIn } from './read.ts';

/** Reads a Secret with its values; data that is none counts as empty. Throws ClusterProblem. */
export async function readSecret(
  transport: Transport,
  place: { readonly namespace: string; readonly name: string },
  { cluster, signal }: { readonly cluster: string; readonly signal: AbortSignal },
): Promise<Secret> {
  const answer = await transport.json<unknown>({ path: objectPath(addressOf(secretKind, place)), signal });
  const secret: Secret = objectIn(answer, cluster);
  return isPlain(secret.data) ? secret : { ...secret, data: {} };
}
